/** Real git repositories in temporary folders, with nothing of the settings of whoever runs the tests. */
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { TrustedFolder } from '../../src-main/git/trustedFolder'

const environment = {
  ...process.env,
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_AUTHOR_NAME: 'Ada',
  GIT_AUTHOR_EMAIL: 'ada@example.org',
  GIT_COMMITTER_NAME: 'Ada',
  GIT_COMMITTER_EMAIL: 'ada@example.org',
}

export class TestRepository {
  /** Links resolved. */
  readonly root: string
  readonly trusted: TrustedFolder

  constructor() {
    this.root = realpathSync(mkdtempSync(join(tmpdir(), 'bridgedeck-git-')))
    this.trusted = new TrustedFolder(this.root, this.root)
    this.git('init', '--quiet', '--initial-branch=main')
  }

  /** What git prints, without the last line end. */
  git(...args: string[]): string {
    return execFileSync('git', ['-C', this.root, ...args], {
      env: environment,
      encoding: 'utf8',
      stdio: 'pipe',
    }).replace(/\n$/, '')
  }

  put(file: string, text: string): void {
    mkdirSync(dirname(join(this.root, file)), { recursive: true })
    writeFileSync(join(this.root, file), text)
  }

  /** Writes the files and commits everything. @returns the hash */
  commit(message: string, files: Readonly<Record<string, string>> = {}): string {
    for (const [file, text] of Object.entries(files)) this.put(file, text)
    this.git('add', '--all')
    this.git('commit', '--quiet', '--allow-empty', '-m', message)
    return this.git('rev-parse', 'HEAD')
  }

  /** Every file of HEAD with its text. */
  tree(commit = 'HEAD'): Record<string, string> {
    const names = this.git('ls-tree', '-r', '-z', '--name-only', commit).split('\0').filter(Boolean)
    return Object.fromEntries(names.map((name) => [name, this.git('show', `${commit}:${name}`)]))
  }

  /** HEAD, every ref, the index and what is not committed: what a rollback that is refused may not change. */
  state(): string {
    return [
      this.git('rev-parse', 'HEAD'),
      this.git('symbolic-ref', '--quiet', 'HEAD'),
      this.git('for-each-ref'),
      this.git('ls-files', '--stage'),
      this.git('status', '--porcelain', '--ignored'),
      this.git('worktree', 'list'),
    ].join('\n')
  }

  remove(): void {
    rmSync(this.root, { recursive: true, force: true })
  }
}
