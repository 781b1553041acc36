import { mkdir, readdir, realpath } from 'node:fs/promises'
import { isAbsolute, join, relative, sep } from 'node:path'
import { AppError } from '@shared/contract/errors'
import { compareAndSwap } from '../../../files/compareAndSwap'
import { within } from '../../../formats/listing'
import { activeSession } from '../../../formats/maestro/detect'
import { designGateSchema } from '../../../formats/maestro/schema'
import { newSession, readPhaseLines } from '../../../formats/maestro/session/newSession'
import { readPlannedPhases } from '../../../formats/maestro/session/planTable'
import { readStateFile } from '../../../projects/read/readStateFile'
import { ensureWorkspace } from '../stateFiles'

interface SessionWish {
  /** Without symbolic links. */
  readonly root: string
  /** Relative to `root`. */
  readonly stateDir: string
  readonly task: string
  readonly design?: string | undefined
  readonly plan?: string | undefined
  /** Such as `Music: debugger, after 1`; empty for the phases of the plan. */
  readonly phases: readonly string[]
  readonly now: number
}

/** @throws AppError CONFLICT while there is an active session, or a design that waits for its approval */
export async function createSession(wish: SessionWish): Promise<{ readonly id: string; readonly file: string }> {
  const { root, stateDir, task, phases, now } = wish
  await ensureWorkspace(root, stateDir)
  const file = activeSession(stateDir)
  await requireNoGate(root, stateDir)
  const plan = wish.plan === undefined ? null : await inProject(root, wish.plan)
  const design = wish.design === undefined ? null : await inProject(root, wish.design)
  const planText = plan === null ? '' : await textOf(root, plan)
  if (design !== null) await textOf(root, design)
  const archived = await readdir(join(root, stateDir, 'state/archive')).catch(() => [])
  const { id, text } = newSession({
    task,
    design,
    plan,
    phases: phases.length > 0 ? readPhaseLines(phases.join('\n')) : readPlannedPhases(planText),
    time: new Date(now).toISOString(),
    taken: archived.map((name) => name.replace(/\.md$/, '')),
  })
  try {
    await mkdir(join(root, stateDir, 'state'), { recursive: true, mode: 0o700 })
    await compareAndSwap({ file, before: null, after: text }, { root, isStrict: true })
  } catch (error) {
    if (error instanceof AppError && error.code === 'CONFLICT')
      throw new AppError('CONFLICT', `There is an active session already: ${file}.`, {
        hint: 'Go on with it (maestro session resume), or archive it first (maestro session archive).',
      })
    throw error
  }
  return { id, file }
}

async function requireNoGate(root: string, stateDir: string): Promise<void> {
  const names = await readdir(join(root, stateDir, 'state')).catch(() => [])
  for (const name of names.filter((each) => each.endsWith('.design-gate.json'))) {
    const { text } = await readStateFile(root, within(stateDir, `state/${name}`))
    const gate = designGateSchema.pick({ approved_at: true }).safeParse(parse(text))
    if (gate.success && gate.data.approved_at !== null) continue
    throw new AppError('CONFLICT', `The design of ${name} is not approved.`, {
      hint: 'Approve it first: project act DIR --action approve.',
    })
  }
}

function parse(text: string | null): unknown {
  try {
    const value: unknown = JSON.parse(text ?? '')
    return typeof value === 'object' && value !== null && 'approved_at' in value
      ? { approved_at: value.approved_at }
      : value
  } catch {
    return null
  }
}

async function inProject(root: string, path: string): Promise<string> {
  const real = await realpath(path).catch(() => path)
  const inside = relative(root, real)
  if (inside === '' || inside.startsWith('..') || isAbsolute(inside))
    throw new AppError('INVALID', `Path must stay inside the project (got: ${path})`)
  return inside.split(sep).join('/')
}

async function textOf(root: string, file: string): Promise<string> {
  const { text, findings } = await readStateFile(root, file)
  if (text === null) throw new AppError('INVALID', `Cannot read ${file}: ${findings[0]?.found ?? 'it is no text'}.`)
  return text
}
