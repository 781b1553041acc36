import { LogFile } from './logFile'

/** Those that are read at the same time. */
const MAX_OPEN_LOGS = 16

/** The log files that were asked for last, kept open. */
export class OpenLogs {
  readonly #logs = new Map<string, LogFile>()

  get(path: string): LogFile {
    const log = this.#logs.get(path) ?? new LogFile(path)
    // The one that was asked for last stays longest.
    this.#logs.delete(path)
    this.#logs.set(path, log)
    for (const [oldest, other] of [...this.#logs].slice(0, Math.max(0, this.#logs.size - MAX_OPEN_LOGS))) {
      this.#logs.delete(oldest)
      void other.close()
    }
    return log
  }

  async close(): Promise<void> {
    await Promise.all([...this.#logs.values()].map((log) => log.close()))
  }
}
