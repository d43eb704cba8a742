// What a recording does not cover: told once of each kind, so that nobody takes a replay for more than it is.

function watchUncovered(note) {
  const watchMaking = (name, code) => {
    if (!(name in window)) return;
    window[name] = new Proxy(window[name], {
      construct(target, values, made) {
        note(code, String(values[0]));
        return Reflect.construct(target, values, made);
      },
    });
  };
  watchMaking("Worker", "WORKER_NOT_RECORDED");
  watchMaking("SharedWorker", "WORKER_NOT_RECORDED");
  watchMaking("EventSource", "EVENT_SOURCE_NOT_RECORDED");

  const { open } = IDBFactory.prototype;
  IDBFactory.prototype.open = function (name, ...version) {
    note("INDEXED_DB_STARTS_EMPTY", String(name));
    return open.call(this, name, ...version);
  };
}
