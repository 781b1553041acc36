import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process'
import { tmpdir } from 'node:os'
import { AppError } from '@shared/contract/errors'
import type { TrustedFolder } from './trustedFolder'

const USUAL_LIMIT_MS = 30_000
/** For commands that read or write the whole work tree. */
export const WORK_TREE_LIMIT_MS = 5 * 60_000
const MAX_OUTPUT_BYTES = 16 * 1024 * 1024
const MAX_MESSAGE_CHARACTERS = 4_000

export interface GitOptions {
  readonly signal?: AbortSignal | undefined
  readonly input?: string | Uint8Array
  readonly limitMs?: number
  /** A command that writes more is ended, and its answer cut. */
  readonly maxOutputBytes?: number
  readonly environment?: Readonly<Record<string, string>>
}

export interface GitAnswer {
  readonly code: number
  readonly bytes: Buffer
  readonly text: string
  readonly message: string
  readonly isCut: boolean
}

export async function runProcess(
  at: TrustedFolder,
  args: readonly string[],
  { signal, input, limitMs = USUAL_LIMIT_MS, maxOutputBytes = MAX_OUTPUT_BYTES, environment: more = {} }: GitOptions,
): Promise<GitAnswer> {
  signal?.throwIfAborted()
  // Not in the project: Windows looks for programs in the working folder first.
  const child = spawn('git', ['--no-pager', '-C', at.path, ...args], {
    cwd: tmpdir(),
    env: environment(more),
    stdio: 'pipe',
    windowsHide: true,
  })
  let stopped: unknown
  // SIGTERM lets git remove its lock files.
  const stop = (reason: unknown): void => {
    stopped ??= reason
    child.kill()
  }
  const onAbort = () => stop(signal?.reason)
  const timer = setTimeout(() => stop(timedOut(args, limitMs)), limitMs)
  signal?.addEventListener('abort', onAbort, { once: true })
  const output = collectOutput(child, maxOutputBytes)
  // A program that ends early does not read all of its input; its exit code tells.
  child.stdin.on('error', () => undefined)
  child.stdin.end(input)
  try {
    const code = await ended(child)
    if (stopped !== undefined)
      throw stopped instanceof AppError
        ? stopped
        : new AppError('CANCELLED', 'The operation was cancelled.', { cause: stopped })
    const { chunks, message, isCut } = output
    const bytes = Buffer.concat(chunks)
    return { code: isCut ? 0 : code, bytes, text: bytes.toString('utf8'), message, isCut }
  } finally {
    clearTimeout(timer)
    signal?.removeEventListener('abort', onAbort)
  }
}

interface Output {
  readonly chunks: Buffer[]
  message: string
  isCut: boolean
}

function collectOutput(child: ChildProcessWithoutNullStreams, maxBytes: number): Output {
  const output: Output = { chunks: [], message: '', isCut: false }
  let size = 0
  child.stdout.on('data', (chunk: Buffer) => {
    if (output.isCut) return
    const taken = chunk.subarray(0, maxBytes - size)
    output.chunks.push(taken)
    size += taken.length
    if (taken.length === chunk.length) return
    output.isCut = true
    child.kill()
  })
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    output.message = (output.message + text).slice(0, MAX_MESSAGE_CHARACTERS)
  })
  return output
}

/** @returns 1 when a signal ended it */
const ended = (child: ChildProcessWithoutNullStreams): Promise<number> =>
  new Promise((resolve, reject) => {
    child.on('error', (error) =>
      reject(
        'code' in error && error.code === 'ENOENT'
          ? new AppError('UNSUPPORTED', 'There is no git on this computer.', {
              hint: 'Install git, or check that it is on the PATH.',
              cause: error,
            })
          : error,
      ),
    )
    child.on('close', (code) => resolve(code ?? 1))
  })

const timedOut = ([command = '']: readonly string[], limitMs: number): AppError =>
  new AppError('TIMEOUT', `git ${command} timed out after ${limitMs / 1000} s.`, {
    hint: 'Another git may be working in the folder, or the folder is very large.',
  })

/** Git variables of the caller's environment would apply to this repository too. */
function environment(more: Readonly<Record<string, string>>): NodeJS.ProcessEnv {
  const own = Object.entries(process.env).filter(
    ([name]) => !/^(git_|ssh_askpass$|pager$|editor$|visual$|language$)/i.test(name),
  )
  return {
    ...Object.fromEntries(own),
    LC_ALL: 'C',
    GIT_TERMINAL_PROMPT: '0',
    GIT_ASKPASS: '',
    GIT_EDITOR: ':',
    GIT_SEQUENCE_EDITOR: ':',
    GIT_PAGER: 'cat',
    GIT_OPTIONAL_LOCKS: '0',
    // Missing objects of a partial clone stay missing; a git before 2.45 finds no allowed transport.
    GIT_NO_LAZY_FETCH: '1',
    GIT_ALLOW_PROTOCOL: 'none',
    ...more,
  }
}
