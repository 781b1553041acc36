/** Stands before git on the PATH, so that something happens in the moment before or after one of its commands. */
import { execFileSync } from 'node:child_process'
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'

export class GitShim {
  readonly #folder = mkdtempSync(join(tmpdir(), 'bridgedeck-shim-'))
  readonly #git = execFileSync('sh', ['-c', 'command -v git'], { encoding: 'utf8' }).trim()

  /** For a process that is to use it. */
  get path(): string {
    return [this.#folder, process.env['PATH'] ?? ''].join(delimiter)
  }

  /** @param command of git, with the first of its arguments @param script of the shell; `$PPID` is who runs git */
  at(when: 'before' | 'after', command: string, script: string): void {
    const path = join(this.#folder, 'git')
    const real = `'${this.#git}' "$@"`
    const matched = when === 'before' ? `${script}\nexec ${real}` : `${real}\ncode=$?\n${script}\nexit $code`
    writeFileSync(path, `#!/bin/sh\ncase "$*" in *' ${command} '*)\n${matched};;\nesac\nexec ${real}\n`)
    chmodSync(path, 0o755)
  }

  remove(): void {
    rmSync(this.#folder, { recursive: true, force: true })
  }
}
