/** Real git repositories in temporary folders, with nothing of the settings of whoever runs the tests. */
import { execFileSync } from 'node:child_process'
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { TrustedFolder } from '../../src-main/git/trustedFolder'
import { atWorkerEnd } from './workerEnd'

const environment = {
  ...process.env,
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_AUTHOR_NAME: 'Ada',
  GIT_AUTHOR_EMAIL: 'ada@example.org',
  GIT_COMMITTER_NAME: 'Ada',
  GIT_COMMITTER_EMAIL: 'ada@example.org',
  // After each commit git would start itself twice more, to see whether there is something to tidy.
  GIT_CONFIG_COUNT: '1',
  GIT_CONFIG_KEY_0: 'maintenance.auto',
  GIT_CONFIG_VALUE_0: 'false',
}

/** As `git init` makes it; copied, as that takes no process. */
let gitFolder: string | undefined

function emptyGitFolder(): string {
  if (gitFolder !== undefined) return gitFolder
  const folder = mkdtempSync(join(tmpdir(), 'bridgedeck-git-'))
  execFileSync('git', ['init', '--quiet', '--initial-branch=main', folder], { env: environment })
  atWorkerEnd(() => rmSync(folder, { recursive: true, force: true }))
  return (gitFolder = join(folder, '.git'))
}

export class TestRepository {
  /** Links resolved. */
  readonly root: string
  readonly trusted: TrustedFolder

  constructor() {
    this.root = realpathSync(mkdtempSync(join(tmpdir(), 'bridgedeck-git-')))
    this.trusted = new TrustedFolder(this.root, this.root)
    cpSync(emptyGitFolder(), join(this.root, '.git'), { recursive: true })
  }

  /** What git prints, without the last line end. */
  git(...args: string[]): string {
    return this.#git(args, '').replace(/\n$/, '')
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
    return this.#head()
  }

  /**
   * Commits texts of files, all of them each time, in one call of git, and checks the last one out.
   * @returns the hashes, the oldest first
   */
  import(commits: readonly { readonly message: string; readonly files: Readonly<Record<string, string>> }[]): string[] {
    const data = (text: string) => `data ${Buffer.byteLength(text)}\n${text}\n`
    const stream = commits.map(({ message, files }, index) =>
      [
        'commit refs/heads/main\n',
        `mark :${index + 1}\n`,
        `committer Ada <ada@example.org> ${1_800_000_000 + index} +0000\n`,
        data(message),
        'deleteall\n',
        ...Object.entries(files).map(([file, text]) => `M 100644 inline ${file}\n${data(text)}`),
        `get-mark :${index + 1}\n`,
      ].join(''),
    )
    const hashes = this.#git(['fast-import', '--quiet'], stream.join(''))
    this.git('reset', '--quiet', '--hard')
    return hashes.trim().split('\n')
  }

  /** Every file of HEAD with its text. */
  tree(commit = 'HEAD'): Record<string, string> {
    const names = this.git('ls-tree', '-r', '-z', '--name-only', commit).split('\0').filter(Boolean)
    return Object.fromEntries(names.map((name) => [name, this.git('show', `${commit}:${name}`)]))
  }

  /**
   * HEAD, every ref, what differs from HEAD in the index and the folder, and the worktrees: what a rollback that is refused
   * may not change.
   */
  state(): string {
    const worktrees = join(this.root, '.git', 'worktrees')
    return [
      this.git('status', '--porcelain=v2', '--branch', '--ignored', '--no-renames'),
      this.git('for-each-ref'),
      ...(existsSync(worktrees) ? readdirSync(worktrees) : []),
    ].join('\n')
  }

  remove(): void {
    rmSync(this.root, { recursive: true, force: true })
  }

  /** Of a commit just made, whose branch git has written into a file of its own. */
  #head(): string {
    const read = (file: string) => readFileSync(join(this.root, '.git', file), 'utf8').trim()
    const head = read('HEAD')
    return head.startsWith('ref: ') ? read(head.slice('ref: '.length)) : head
  }

  #git(args: readonly string[], input: string): string {
    return execFileSync('git', ['-C', this.root, ...args], {
      env: environment,
      encoding: 'utf8',
      input,
      stdio: 'pipe',
    })
  }
}
