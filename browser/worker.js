// Runs Python with the application. Each request comes with a port, through which the answer returns in pieces.
import { loadPyodide } from "./pyodide/pyodide.mjs";

const DATA = "/data";
const here = new URL("./", import.meta.url);
let bridge, python, count = 0;

const unpacked = async (name) => new Response((await fetch(new URL(name, here))).body.pipeThrough(new DecompressionStream("gzip")));
const synchronised = (fromBrowser) => new Promise((fine, bad) =>
  python.FS.syncfs(fromBrowser, (error) => (error ? bad(new Error(`The browser cannot save files: ${error.message ?? error}`)) : fine())));
self.saveFiles = () => synchronised(false);

// A tar file: before each file 512 bytes with its name and its size in octal digits. Python itself would take a second for it.
function writePackages(tar, folder) {
  const text = (at, length) => new TextDecoder().decode(tar.subarray(at, at + length)).replace(/\0.*$/s, "");
  for (let at = 0, size; tar[at]; at += 512 + Math.ceil(size / 512) * 512) {
    const path = folder + [text(at + 345, 155), text(at, 100)].filter(Boolean).join("/");
    size = parseInt(text(at + 124, 12), 8);
    python.FS.mkdirTree(path.slice(0, path.lastIndexOf("/")));
    python.FS.writeFile(path, tar.subarray(at + 512, at + 512 + size), { canOwn: true });
  }
}

async function load() {
  const [library, packages] = ["library.bin", "packages.bin"].map(unpacked);
  const told = (what) => self.postMessage({ kind: "progress", what });
  python = await loadPyodide({
    indexURL: new URL("pyodide/", here).href,
    stdLibURL: URL.createObjectURL(await (await library).blob()),
    env: { HOME: DATA, CCGRID_DB: `${DATA}/catalogue.db`, CCGRID_STATE: `${DATA}/state`, CCGRID_CONFIG: `${DATA}/config.toml`, XDG_DATA_HOME: DATA },
  });
  told("python");
  python.FS.mkdirTree(DATA);
  python.FS.mount(python.FS.filesystems.IDBFS, {}, DATA);
  await synchronised(true);
  writePackages(new Uint8Array(await (await packages).arrayBuffer()), `${python.runPython("import site; site.getsitepackages()[0]")}/`);
  told("packages");
}

async function start() {
  await load();
  python.runPython("import gc; gc.disable()");  // what is imported stays, so searching it for garbage is wasted
  bridge = await python.pyimport("bridge").make(new URL("app", here).pathname);
  python.runPython("gc.enable()");
  self.postMessage({ kind: "ready" });
}

// Long work, by number, goes to a second worker, which runs this file, too. It is ended to stop work.
const NAME = "long work", works = new Map();
let second, isStarted = false;
self.compute = (task, goesOn) => new Promise((fine, bad) => {
  const number = ++count;
  works.set(number, { task, goesOn, fine, bad, given: [0, 1] });
  if (second) second.postMessage({ number, task });
  else startSecond();
});
// Whether the second worker can begin at once. The first question starts it.
self.isIdle = () => {
  if (!second) startSecond();
  return isStarted && !works.size;
};
// Not when work reports, which may take long.
setInterval(() => {
  for (const [number, { goesOn, given, fine }] of works) {
    if (goesOn(...given)) continue;
    works.delete(number);
    endSecond();
    if (works.size) startSecond();
    fine();
  }
}, 100);

function endSecond() {
  second.terminate();
  second = undefined;
  isStarted = false;
}

function startSecond() {
  second = new Worker(import.meta.url, { type: "module", name: NAME });
  const failed = (error) => {
    for (const { bad } of works.values()) bad(new Error(error));
    works.clear();
    endSecond();
  };
  second.onerror = (event) => failed(event.message);
  second.onmessage = ({ data }) => {
    const work = works.get(data.number);
    if (data.kind === "started") isStarted = true;
    else if (data.kind === "failed") failed(data.error);
    else if (data.kind === "report" && work) work.given = data.given;
    else if (data.kind === "done" && work) {
      works.delete(data.number);
      work.fine(data.result);
    }
  };
  for (const [number, { task }] of works) second.postMessage({ number, task });
}

async function serveLongWork() {
  await load();
  const { work } = python.pyimport("long_work");
  self.postMessage({ kind: "started" });
  return async ({ number, task }) => {
    await synchronised(true);
    const result = work(python.toPy(task), (...given) => self.postMessage({ kind: "report", number, given }));
    self.postMessage({ kind: "done", number, result: result.toJs() });
    result.destroy();
  };
}

const isSecond = self.name === NAME;
const started = (isSecond ? serveLongWork() : start()).catch((error) => self.postMessage({ kind: "failed", error: String(error) }));

let earlier = started;
self.onmessage = async ({ data, ports: [port] }) => {
  if (isSecond) {
    earlier = earlier.then(async () => (await started)(data)).catch((error) => self.postMessage({ kind: "failed", error: String(error) }));
    return;
  }
  await started;
  const number = ++count;
  port.onmessage = () => bridge.leave(number);
  const tell = (kind, first, second) => {
    if (kind === "start") port.postMessage({ kind, status: first, headers: second });
    else port.postMessage({ kind, bytes: first });
  };
  try {
    await bridge.answer(number, data.method, data.address, python.toPy(data.headers), data.body, tell);
  } catch (error) {
    console.error(error);
    port.postMessage({ kind: "start", status: 500, headers: [["content-type", "text/plain"]] });
    port.postMessage({ kind: "end" });
  }
};
