/** Specification 003, section by section. */
import { spawn } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync, chmodSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'

let parent: string
let project: string
let home: string
beforeEach(() => {
  parent = mkdtempSync(join(tmpdir(), 'bridgedeck-spec003-'))
  project = join(parent, 'project')
  home = join(parent, 'home')
  mkdirSync(project)
  mkdirSync(home)
})
afterEach(() => rmSync(parent, { recursive: true, force: true }))

function put(path: string, text: string | Buffer): void {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, text)
}

interface Ended {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

/** `bridgedeck maestro …` in the project, with nothing of Maestro's in the environment but what is given. */
function maestro(words: readonly string[], { stdin = '', env = {}, folder = project }: { stdin?: string | Buffer; env?: Record<string, string>; folder?: string } = {}): Promise<Ended> {
  const inherited = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('MAESTRO_') && name !== 'INIT_CWD'))
  const child = spawn(process.execPath, [resolve('out/main/cli.cjs'), 'maestro', ...words], { cwd: folder, env: { ...inherited, HOME: home, USERPROFILE: home, ...env } })
  const stdout: Buffer[] = []
  let stderr = ''
  child.stdout.on('data', (chunk: Buffer) => stdout.push(chunk))
  child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()))
  // A helper that refuses its arguments does not read its input.
  child.stdin.on('error', () => undefined)
  child.stdin.end(stdin)
  return new Promise((done) => child.on('close', (code) => done({ code, stdout: Buffer.concat(stdout).toString(), stderr })))
}

const said = (message: string): Ended => ({ code: 1, stdout: '', stderr: `ERROR: ${message}\n` })
const nothing: Ended = { code: 0, stdout: '', stderr: '' }
const noSession: Ended = { code: 0, stdout: 'No active session\n', stderr: '' }

describe('State Directory Layout: ensure-workspace prepares it', () => {
  it('makes the folders below .gemini unless another is named', async () => {
    expect(await maestro(['ensure-workspace'])).toEqual(nothing)
    expect(await maestro(['ensure-workspace', 'docs/maestro'])).toEqual(nothing)
    for (const stateDir of ['.gemini', 'docs/maestro']) {
      expect(readdirSync(join(project, stateDir)).sort()).toEqual(['parallel', 'plans', 'state'])
      for (const folder of ['state/archive', 'plans/archive']) expect(statSync(join(project, stateDir, folder)).isDirectory()).toBe(true)
    }
  })

  it('keeps what is there', async () => {
    put(join(project, '.gemini/state/active-session.md'), 'kept')
    expect(await maestro(['ensure-workspace'])).toEqual(nothing)
    expect(readFileSync(join(project, '.gemini/state/active-session.md'), 'utf8')).toBe('kept')
  })

  it('rejects an absolute state folder', async () => {
    expect(await maestro(['ensure-workspace', '/srv/state'])).toEqual(said('Path must be relative (got: /srv/state)'))
  })

  it.each(['../state', 'a/../../b', 'a\\..\\b'])('rejects traversal: %s', async (path) => {
    expect(await maestro(['ensure-workspace', path])).toEqual(said(`Path traversal not allowed (got: ${path})`))
    expect(readdirSync(parent).sort()).toEqual(['home', 'project'])
  })

  it('rejects a state folder that is a symlink, or below one', async () => {
    mkdirSync(join(parent, 'elsewhere'))
    symlinkSync(join(parent, 'elsewhere'), join(project, 'linked'))
    expect(await maestro(['ensure-workspace', 'linked'])).toEqual(said('STATE_DIR must not be a symlink (got: linked)'))
    expect(await maestro(['ensure-workspace', 'linked/deeper'])).toEqual(said('STATE_DIR must not be a symlink (got: linked/deeper)'))
    expect(readdirSync(join(parent, 'elsewhere'))).toEqual([])
  })

  it('says which folder it could not make', async () => {
    put(join(project, '.gemini/plans'), 'a file where a folder should be')
    expect(await maestro(['ensure-workspace'])).toEqual(said('Failed to create directory: .gemini/plans'))
  })
})

describe('State File Access: read-state', () => {
  it('writes the content to standard output, byte by byte', async () => {
    put(join(project, 'state.md'), '\uFEFFa\r\nb')
    expect(await maestro(['read-state', 'state.md'])).toEqual({ code: 0, stdout: '\uFEFFa\r\nb', stderr: '' })
  })

  it('takes relative paths only', async () => {
    put(join(parent, 'secret'), 'secret')
    expect(await maestro(['read-state', join(parent, 'secret')])).toEqual(said(`Path must be relative (got: ${join(parent, 'secret')})`))
    expect(await maestro(['read-state', '../secret'])).toEqual(said('Path traversal not allowed (got: ../secret)'))
  })

  it('takes a name that only begins with two dots', async () => {
    put(join(project, '..notes'), 'x')
    expect(await maestro(['read-state', '..notes'])).toMatchObject({ code: 0, stdout: 'x' })
  })

  it('does not follow a link out of the project', async () => {
    put(join(parent, 'outside/secret'), 'secret')
    symlinkSync(join(parent, 'outside'), join(project, 'linked'))
    expect(await maestro(['read-state', 'linked/secret'])).toEqual(said('Path must stay inside the project (got: linked/secret)'))
  })

  it('says explicitly that a file is missing', async () => {
    const { code, stdout, stderr } = await maestro(['read-state', '.gemini/state/active-session.md'])
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
    expect(stderr).toMatch(/^ERROR: ENOENT: no such file or directory.*active-session\.md'\n$/)
  })

  it('says how it is used when no path is given', async () => {
    expect(await maestro(['read-state'])).toEqual(said('Usage: bridgedeck maestro read-state <relative-path>'))
  })
})

describe('State File Access: write-state', () => {
  it('writes standard input to a new file, for its owner only, and makes its folder', async () => {
    expect(await maestro(['write-state', '.gemini/state/active-session.md'], { stdin: 'new\n' })).toEqual(nothing)
    const path = join(project, '.gemini/state/active-session.md')
    expect(readFileSync(path, 'utf8')).toBe('new\n')
    expect(statSync(path).mode & 0o777).toBe(0o600)
  })

  it('replaces a file atomically: a new file under the old name, nothing left beside it', async () => {
    put(join(project, 'state.md'), 'old')
    chmodSync(join(project, 'state.md'), 0o664)
    const before = statSync(join(project, 'state.md'))
    expect(await maestro(['write-state', 'state.md'], { stdin: Buffer.from([0xef, 0xbb, 0xbf, 0x0d, 0x0a, 0xff]) })).toEqual(nothing)
    const after = statSync(join(project, 'state.md'))
    expect(readFileSync(join(project, 'state.md'))).toEqual(Buffer.from([0xef, 0xbb, 0xbf, 0x0d, 0x0a, 0xff]))
    expect(after.ino).not.toBe(before.ino)
    expect(after.mode).toBe(before.mode)
    expect(readdirSync(project)).toEqual(['state.md'])
  })

  it.each([
    ['an absolute path', '/tmp/x', 'Path must be relative (got: /tmp/x)'],
    ['traversal', 'a/../../x', 'Path traversal not allowed (got: a/../../x)'],
  ])('rejects %s', async (_, path, message) => expect(await maestro(['write-state', path], { stdin: 'x' })).toEqual(said(message)))

  it('rejects empty input and leaves the file', async () => {
    put(join(project, 'state.md'), 'old')
    expect(await maestro(['write-state', 'state.md'])).toEqual(said('stdin content is empty'))
    expect(readFileSync(join(project, 'state.md'), 'utf8')).toBe('old')
  })

  it('does not write through a symlink anywhere below the project', async () => {
    put(join(parent, 'outside/file'), 'theirs')
    symlinkSync(join(parent, 'outside'), join(project, 'linked'))
    symlinkSync(join(parent, 'outside/file'), join(project, 'file'))
    expect(await maestro(['write-state', 'linked/file'], { stdin: 'x' })).toEqual(said('Path must not go through a symlink (got: linked/file)'))
    expect(await maestro(['write-state', 'file'], { stdin: 'x' })).toEqual(said('Path must not go through a symlink (got: file)'))
    expect(readFileSync(join(parent, 'outside/file'), 'utf8')).toBe('theirs')
  })

  it('says how it is used when no path is given', async () => {
    expect(await maestro(['write-state'], { stdin: 'x' })).toEqual(said('Usage: bridgedeck maestro write-state <relative-path>'))
  })
})

describe('Resolution Precedence: read-active-session', () => {
  const session = (stateDir: string, text: string) => put(join(stateDir, 'state/active-session.md'), text)
  const active = (text: string): Ended => ({ code: 0, stdout: text, stderr: '' })

  it('falls back to No active session, without an error', async () => {
    expect(await maestro(['read-active-session'])).toEqual(noSession)
  })

  it('reads the session below the default folder', async () => {
    session(join(project, '.gemini'), 'default')
    expect(await maestro(['read-active-session'])).toEqual(active('default'))
  })

  it('prefers the environment to the workspace’s .env, that to the extension’s, and that to the default', async () => {
    for (const name of ['env', 'workspace', 'extension', '.gemini']) session(join(project, name), name)
    expect(await maestro(['read-active-session'])).toEqual(active('.gemini'))
    put(join(home, '.gemini/extensions/maestro/.env'), 'MAESTRO_STATE_DIR=extension')
    expect(await maestro(['read-active-session'])).toEqual(active('extension'))
    put(join(project, '.env'), 'export MAESTRO_STATE_DIR="workspace" # for now\r\n')
    expect(await maestro(['read-active-session'])).toEqual(active('workspace'))
    expect(await maestro(['read-active-session'], { env: { MAESTRO_STATE_DIR: 'env' } })).toEqual(active('env'))
    expect(await maestro(['read-active-session'], { env: { MAESTRO_STATE_DIR: '' } })).toEqual(active('workspace'))
  })

  it('finds the extension where MAESTRO_EXTENSION_PATH says', async () => {
    session(join(project, 'there'), 'there')
    put(join(parent, 'extension/.env'), 'MAESTRO_STATE_DIR=there')
    expect(await maestro(['read-active-session'], { env: { MAESTRO_EXTENSION_PATH: join(parent, 'extension') } })).toEqual(active('there'))
  })

  it('resolves a relative folder from the repository’s root', async () => {
    mkdirSync(join(project, '.git'))
    mkdirSync(join(project, 'src/deep'), { recursive: true })
    session(join(project, '.gemini'), 'root')
    expect(await maestro(['read-active-session'], { folder: join(project, 'src/deep') })).toEqual(active('root'))
  })

  it('accepts an absolute folder from the environment, and from .env inside the project only', async () => {
    session(join(parent, 'elsewhere'), 'elsewhere')
    session(join(project, 'inside'), 'inside')
    expect(await maestro(['read-active-session'], { env: { MAESTRO_STATE_DIR: join(parent, 'elsewhere') } })).toEqual(active('elsewhere'))
    put(join(project, '.env'), `MAESTRO_STATE_DIR=${join(project, 'inside')}`)
    expect(await maestro(['read-active-session'])).toEqual(active('inside'))
    put(join(project, '.env'), `MAESTRO_STATE_DIR=${join(parent, 'elsewhere')}`)
    expect(await maestro(['read-active-session'])).toEqual(noSession)
  })

  it('ends well, too, when the folder is invalid', async () => {
    session(join(parent, 'elsewhere'), 'elsewhere')
    symlinkSync(join(parent, 'elsewhere'), join(project, 'linked'))
    expect(await maestro(['read-active-session'], { env: { MAESTRO_STATE_DIR: '../elsewhere' } })).toEqual(noSession)
    expect(await maestro(['read-active-session'], { env: { MAESTRO_STATE_DIR: 'linked' } })).toEqual(noSession)
  })
})

describe('the helpers as one command', () => {
  it('names them when it knows none of that name, and starts nothing', async () => {
    expect(await maestro(['write'])).toEqual(said('Usage: bridgedeck maestro read-state|write-state|read-active-session|ensure-workspace'))
    expect(existsSync(join(home, '.c64bridge'))).toBe(false)
  })
})
