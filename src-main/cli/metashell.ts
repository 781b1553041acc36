/** The command line's `metashell …`: the host of Meta-Shell sessions, with its progress line by line. */
import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { AppError, toFailure } from '@shared/contract/errors'
import type { Loop, LoopLine, LoopName } from '@shared/contract/loops'
import type { Call, Operation } from './operations'
import { EXIT_FAILED, EXIT_OK } from './output'
import { inert } from './project'
import { UsageError } from './usage'

/** Between two looks at what the host says, ms. */
const LOOK = 100

export const metashellOperations = {
  'metashell run': (call) => run(call),

  'metashell resume': async (call) => {
    const path = resolve(call.folder, call.words.subject)
    if (!existsSync(join(path, '.meta/session.json')))
      throw new AppError('NOT_FOUND', `There is no session in ${path} that could be resumed.`, {
        hint: 'metashell run begins one.',
      })
    await run(call)
  },

  'metashell rollback': async (call) => {
    const { words, session, output, signal } = call
    const task = words.text('task')
    if (task === undefined)
      throw new UsageError('--task is missing: the id of the task whose commits are to be reverted.')
    await inProject(call, async (name) => {
      const isTrial = !words.flag('yes')
      const { commits, files, obstacles, result } = await session.client.call(
        'loops.rollBack',
        { ...name, task, isTrial },
        signal,
      )
      const text = [
        `${result ? 'Reverted' : 'Would revert'}, the newest first:`,
        ...commits.map(({ commit, subject }) => `  ${commit.slice(0, 10)}  ${subject}`),
        ...files.map(({ path, added, deleted }) => `  ${path}  +${added ?? '?'} -${deleted ?? '?'}`),
        ...(files.length === 0 && obstacles.length === 0
          ? ['  They were undone before: git has nothing left to do.']
          : []),
        ...(result ? [`Task ${task} is pending again. Where the branch was is kept as ${result.backup}.`] : []),
        ...(obstacles.length > 0
          ? ['It cannot be done now:', ...obstacles.map((obstacle) => `  ${obstacle}`)]
          : result
            ? []
            : ['Nothing was changed. Say --yes to do it.']),
      ]
      output.result({ task, commits, files, obstacles, result }, inert(text.join('\n')))
      if (obstacles.length > 0) output.exitCode = EXIT_FAILED
    })
  },
} satisfies Record<string, Operation>

/** Goes on until the host ends; a call that is interrupted stops it first. */
async function run(call: Call): Promise<void> {
  const { words, session, output, signal } = call
  const options = {
    ...(words.text('agent') === undefined ? {} : { agent: words.text('agent') }),
    ...(words.text('max-turns') === undefined
      ? {}
      : { maxTurns: words.number('max-turns', { min: 1, max: 1_000_000, fallback: 1 }) }),
    ...(words.text('max-cost') === undefined
      ? {}
      : { maxCost: words.number('max-cost', { min: 0, max: 1_000_000, fallback: 0, whole: false }) }),
  }
  await inProject(call, async (name) => {
    await session.client.call('loops.start', { ...name, options }, signal)
    const loop = await attend(call, name)
    output.result({ loop }, loop.hint === null ? '' : inert(loop.hint))
    output.exitCode = exitCodeOf(loop)
  })
}

/** In a folder of which nothing is open, it is open for this call only. */
async function inProject(
  { words, session, folder, signal }: Call,
  work: (name: LoopName) => Promise<void>,
): Promise<void> {
  const { client } = session
  const path = resolve(folder, words.subject)
  const { projects } = await client.call('projects.list', {}, signal)
  const wasOpen = projects.some(({ place, state }) => place === path && state !== 'closed')
  const { project } = await client.call('projects.open', { path }, signal)
  try {
    if (!existsSync(join(path, '.meta/context.md')) && !existsSync(join(path, '.meta/session.json'))) {
      throw new AppError('NOT_FOUND', `Project not initialized: there is no .meta/context.md in ${path}.`, {
        hint: 'Write what the project is into it; then start again.',
      })
    }
    await work({ project, system: 'metashell', folder: '' })
  } finally {
    if (!wasOpen) await client.call('projects.close', { project }).catch(() => undefined)
  }
}

async function attend({ words, session: { client }, output, signal }: Call, name: LoopName): Promise<Loop> {
  const print = (line: LoopLine) =>
    output.result({ line }, words.json ? '' : inert(`[${line.level.toUpperCase()}] ${line.text}`))
  let printed = 0
  const catchUp = async (): Promise<Loop> => {
    for (;;) {
      const { loop, lines } = await client.call('loops.lines', { ...name, after: printed })
      for (const line of lines) print(line)
      printed = lines.at(-1)?.number ?? printed
      if (lines.length === 0 || printed >= loop.lines) return loop
    }
  }
  for (;;) {
    const loop = await catchUp()
    if (!isActive(loop)) return loop
    try {
      await wait(LOOK, undefined, { signal })
    } catch (error) {
      // It may have ended by itself in the same moment.
      await client.call('loops.stop', name).catch((stopping: unknown) => {
        if (toFailure(stopping).code !== 'CONFLICT') throw stopping
      })
      await catchUp()
      throw error
    }
  }
}

const isActive = ({ state }: Loop): boolean => state === 'running' || state === 'pausing' || state === 'stopping'

function exitCodeOf({ outcome, code }: Loop): number {
  return code ?? (outcome === 'done' || outcome === 'gate' ? EXIT_OK : EXIT_FAILED)
}
