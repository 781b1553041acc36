import { fork, type ChildProcess } from 'node:child_process'
import { parse, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { z } from 'zod'
import { AppError, fromFailure, toFailure } from '@shared/contract/errors'
import type { Line } from '../rpc/transport'
import { allocatorEnvironment, bridgeExecArgv } from './processMemory'
import { fromBridgeSchema } from './messages'
import { connect, socketPath } from './socket'

const START_DEADLINE_MS = 15_000

export interface BackgroundOptions {
  readonly dataFolder: string
  readonly program: string
  readonly staysIdle: boolean
  /** Absolute; undefined for the usual one. */
  readonly taskFolder?: string | undefined
}

const BACKGROUND = '--background'

const argumentsOf = ({ staysIdle, taskFolder }: BackgroundOptions): string[] => [
  BACKGROUND,
  ...(staysIdle ? ['--stays-idle'] : []),
  ...(taskFolder === undefined ? [] : ['--home', taskFolder]),
]

export function readBackgroundArguments(
  args: readonly string[],
): Pick<BackgroundOptions, 'staysIdle' | 'taskFolder'> | undefined {
  if (!args.includes(BACKGROUND)) return undefined
  const { values } = parseArgs({
    args: [...args],
    options: { background: { type: 'boolean' }, 'stays-idle': { type: 'boolean' }, home: { type: 'string' } },
  })
  return { staysIdle: values['stays-idle'] ?? false, taskFolder: values.home }
}

export async function connectOrStart(options: BackgroundOptions): Promise<Line> {
  const deadline = performance.now() + START_DEADLINE_MS
  for (;;) {
    const line = await connect(socketPath(options.dataFolder))
    if (line) return line
    try {
      await start(options)
    } catch (error) {
      if (toFailure(error).code !== 'CONFLICT' || performance.now() > deadline) throw error
    }
  }
}

async function start(options: BackgroundOptions): Promise<void> {
  const { program, dataFolder } = options
  const { C64_TASK_STATE_FILE: stateFile } = process.env
  const child = fork(program, argumentsOf(options), {
    // Does not block the caller's folder.
    cwd: parse(program).root,
    env: {
      ...process.env,
      ...allocatorEnvironment,
      BRIDGEDECK_DATA: dataFolder,
      ...(stateFile ? { C64_TASK_STATE_FILE: resolve(stateFile) } : {}),
    },
    detached: true,
    windowsHide: true,
    execArgv: [...bridgeExecArgv],
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  })
  try {
    await listening(child)
    if (child.connected) child.disconnect()
    child.unref()
  } catch (error) {
    child.kill('SIGKILL')
    throw error
  }
}

const startMessage = z.object({ message: fromBridgeSchema })

function listening(child: ChildProcess): Promise<void> {
  const noStart = (how: string) =>
    new AppError('BRIDGE_DOWN', `The background bridge ${how}.`, {
      hint: 'logs/bridge.log in the data folder says why.',
    })
  return new Promise((resolve, reject) => {
    const timer = setTimeout(
      () => reject(noStart(`was not ready within ${START_DEADLINE_MS / 1000} s`)),
      START_DEADLINE_MS,
    )
    const settle = (done: () => void) => {
      clearTimeout(timer)
      done()
    }
    child.once('error', (error) => settle(() => reject(noStart(`could not be started: ${error.message}`))))
    child.once('exit', () => settle(() => reject(noStart('ended while it started'))))
    child.on('message', (raw) => {
      const message = startMessage.safeParse(raw).data?.message
      if (message?.kind === 'ready') settle(resolve)
      if (message?.kind === 'failed') settle(() => reject(fromFailure(message.error)))
    })
  })
}
