import { MAX_LOGGED_LINES, type Logged } from '@shared/contract/checkpoints'

export class CheckpointLog {
  readonly #lines: Logged[] = []
  #count = 0

  get count(): number {
    return this.#count
  }

  add(logged: Omit<Logged, 'line'>): void {
    this.#lines[this.#count % MAX_LOGGED_LINES] = { ...logged, line: ++this.#count }
  }

  after(line: number): Logged[] {
    return this.#lines.filter((logged) => logged.line > line).sort((a, b) => a.line - b.line)
  }
}
