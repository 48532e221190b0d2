// Runs Python with the application. Each request comes with a port, through which the answer returns in pieces.
import { loadPyodide } from "./pyodide/pyodide.mjs";

const DATA = "/data";
const here = new URL("./", import.meta.url);
let bridge, python, count = 0;

const fetched = async (name) => (await fetch(new URL(name, here))).arrayBuffer();
const synchronised = (fromBrowser) => new Promise((fine, bad) =>
  python.FS.syncfs(fromBrowser, (error) => (error ? bad(new Error(`The browser does not save: ${error.message ?? error}`)) : fine())));
self.saveFiles = () => synchronised(false);

// Pyodide reads the signal from this often while Python works; with SIGALRM, long work pauses to answer requests.
const pause = { next: 0, get 0() { return performance.now() < this.next ? 0 : 14; }, set 0(_) { this.next = performance.now() + 40; } };

async function start() {
  const packages = fetched("packages.zip");
  const told = (what) => self.postMessage({ kind: "progress", what });
  python = await loadPyodide({
    indexURL: new URL("pyodide/", here).href,
    env: { HOME: DATA, CCGRID_DB: `${DATA}/catalogue.db`, CCGRID_STATE: `${DATA}/state`, CCGRID_CONFIG: `${DATA}/config.toml`, XDG_DATA_HOME: DATA },
  });
  told("python");
  python.FS.mkdirTree(DATA);
  python.FS.mount(python.FS.filesystems.IDBFS, {}, DATA);
  await synchronised(true);
  python.unpackArchive(await packages, "zip", { extractDir: python.runPython("import site; site.getsitepackages()[0]") });
  told("packages");
  python.setInterruptBuffer(pause);
  bridge = await python.pyimport("bridge").make(new URL("app", here).pathname);
  self.postMessage({ kind: "ready" });
}

const started = start().catch((error) => self.postMessage({ kind: "failed", error: String(error) }));

self.onmessage = async ({ data, ports: [port] }) => {
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
