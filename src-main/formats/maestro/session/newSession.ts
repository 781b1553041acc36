import { AppError } from '@shared/contract/errors'
import { findCycles } from '../../dependencies'
import { quote } from '../../finding'
import { agents as knownAgents, contextFields } from '../schema'
import { areApart, depthsOf } from './phaseOrder'
import type { PlannedPhase } from './planTable'

export interface NewSession {
  readonly task: string
  /** Relative to the project; null for none. */
  readonly design: string | null
  readonly plan: string | null
  readonly phases: readonly PlannedPhase[]
  readonly time: string
  readonly taken: readonly string[]
}

const MAX_SLUG_LENGTH = 60

export function sessionId(task: string, time: string, taken: readonly string[]): string {
  const slug = task
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .slice(0, MAX_SLUG_LENGTH)
    .replaceAll(/^-+|-+$/g, '')
  const id = `${time.slice(0, 10)}-${slug === '' ? 'session' : slug}`
  for (let number = 1; ; number++) {
    const candidate = number === 1 ? id : `${id}-${number}`
    if (!taken.includes(candidate)) return candidate
  }
}

/**
 * In order, one a line: `Music: debugger, after 1`.
 * @throws AppError INVALID
 */
export function readPhaseLines(text: string): PlannedPhase[] {
  const lines = text.split(/\r?\n/).filter((line) => line.trim() !== '')
  return lines.map((line, index) => {
    const [, name = '', agents = '', after = ''] =
      /^\s*([^:]+):\s*([\w,\s-]+?)(?:,?\s+after\s+([\w.,\s-]+))?\s*$/i.exec(line) ?? []
    if (name === '')
      throw new AppError('INVALID', `${quote(line)} is no phase.`, {
        hint: 'Write a phase as: Music: debugger, after 1',
      })
    return {
      id: String(index + 1),
      name: name.trim(),
      agents: words(agents).map(normalised),
      blockedBy: words(after),
      files: [],
    }
  })
}

export const phaseLines = (phases: readonly PlannedPhase[]): string =>
  phases
    .map(
      ({ name, agents, blockedBy }) =>
        `${name}: ${agents.join(', ')}${blockedBy.length === 0 ? '' : `, after ${blockedBy.join(', ')}`}`,
    )
    .join('\n')

const words = (text: string): string[] => text.split(/[,\s]+/).filter((word) => word !== '')
const normalised = (agent: string): string => agent.toLowerCase().replaceAll('-', '_')

/** @throws AppError INVALID for phases that cannot be run */
export function newSession(session: NewSession): { readonly id: string; readonly text: string } {
  const { task, time, taken, phases } = session
  requireSound(phases)
  const id = sessionId(task, time, taken)
  return { id, text: [...frontMatter(id, session), '', ...logLines(session), ''].join('\n') }
}

function requireSound(phases: readonly PlannedPhase[]): void {
  const refuse = (message: string) =>
    new AppError('INVALID', message, { hint: 'Correct the plan, or give the phases yourself.' })
  if (phases.length === 0)
    throw new AppError('INVALID', 'There are no phases.', {
      hint: 'Give a plan with a table of phases and agents, or the phases yourself.',
    })
  const ids = phases.map(({ id }) => id)
  for (const [index, { id, name, agents, blockedBy }] of phases.entries()) {
    if (ids.indexOf(id) !== index) throw refuse(`Two phases have the id ${quote(id)}.`)
    if (agents.length === 0) throw refuse(`Phase “${name}” has no agent.`)
    const stranger = agents.find((agent) => !knownAgents.has(agent))
    if (stranger !== undefined) throw refuse(`${quote(stranger)}, of phase “${name}”, is no agent of Maestro.`)
    const missing = blockedBy.find((other) => !ids.includes(other))
    if (missing !== undefined) throw refuse(`Phase “${name}” waits for ${quote(missing)}, which is no phase.`)
  }
  const [ring] = findCycles(phases.map(({ id, blockedBy }) => ({ key: id, dependencies: blockedBy })))
  if (ring) throw refuse(`The phases ${ring.join(', ')} wait for each other.`)
}

function frontMatter(id: string, { task, time, design, plan, phases }: NewSession): string[] {
  const isNumbered = phases.every((phase) => /^(?:0|[1-9]\d{0,8})$/.test(phase.id))
  const printId = (written: string) => (isNumbered ? written : JSON.stringify(written))
  const depths = depthsOf(phases.map((phase) => ({ key: phase.id, blockedBy: phase.blockedBy })))
  const runsBeside = (phase: PlannedPhase) =>
    phases.some((other) => other !== phase && depths.get(other.id) === depths.get(phase.id) && areApart(other, phase))
  return [
    '---',
    `session_id: ${JSON.stringify(id)}`,
    `task: ${JSON.stringify(task)}`,
    `created: ${JSON.stringify(time)}`,
    `updated: ${JSON.stringify(time)}`,
    'status: "in_progress"',
    `design_document: ${JSON.stringify(design)}`,
    `implementation_plan: ${JSON.stringify(plan)}`,
    `current_phase: ${printId(phases[0]?.id ?? '1')}`,
    `total_phases: ${phases.length}`,
    'execution_mode: null',
    '',
    'token_usage:',
    '  total_input: 0',
    '  total_output: 0',
    '  total_cached: 0',
    '  by_agent: {}',
    '',
    'phases:',
    ...phases.flatMap((phase) => [
      `  - id: ${printId(phase.id)}`,
      `    name: ${JSON.stringify(phase.name)}`,
      '    status: "pending"',
      `    agents: ${list(phase.agents)}`,
      `    parallel: ${runsBeside(phase)}`,
      '    started: null',
      '    completed: null',
      `    blocked_by: [${phase.blockedBy.map(printId).join(', ')}]`,
      '    files_created: []',
      '    files_modified: []',
      '    files_deleted: []',
      ...(phase.files.length === 0 ? [] : [`    planned_files: ${list(phase.files)}`]),
      '    downstream_context:',
      ...contextFields.map((field) => `      ${field}: []`),
      '    errors: []',
      '    retry_count: 0',
    ]),
    '---',
  ]
}

const list = (texts: readonly string[]): string => `[${texts.map((text) => JSON.stringify(text)).join(', ')}]`

const logLines = ({ task, phases }: NewSession): string[] => [
  `# ${inHeading(task)} Orchestration Log`,
  ...phases.flatMap(({ id, name }) => ['', `## Phase ${id}: ${inHeading(name)} (pending)`]),
]

const inHeading = (text: string): string => text.replaceAll(/\s+/g, ' ').replace(/[\s#]+$/, '')
