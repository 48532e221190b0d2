// Sends the file that the user chooses, and shows what the application says about it.
"use strict";
const answered = document.getElementById("said");
for (const input of document.querySelectorAll("input[type=file]")) {
  input.addEventListener("change", async () => {
    const [file] = input.files;
    if (!file) return;
    answered.textContent = `Reading ${file.name} …`;
    const query = new URLSearchParams([["name", file.name], ...new FormData(input.form)].filter(([, value]) => typeof value === "string"));
    const headers = { "X-Form": document.querySelector("main").dataset.form, Accept: "application/json", "Content-Type": "application/octet-stream" };
    try {
      const reply = await fetch(`${input.form.action}?${query}`, { method: "POST", body: file, headers });
      const { said, restart } = await reply.json();
      answered.textContent = said;
      if (restart) top.location.reload();
    } catch {
      answered.textContent = `${file.name} could not be read.`;
    }
    input.value = "";
  });
}
