import { Checks, replaceScalar } from '../checks'
import { findCycles } from '../dependencies'
import { quote, type Finding } from '../finding'
import type { RunFiles } from '../format'
import { nameOf, within } from '../listing'
import {
  booleanOf,
  entriesOf,
  field,
  isNull,
  itemsOf,
  numberOf,
  stringOf,
  textOf,
  timeOf,
  type Located,
  type LocatedDocument,
} from '../text/located'
import { resolveSetting } from './settings'
import type { MaestroState, SessionFile } from './state'

export function contradictions(run: RunFiles, state: MaestroState): Finding[] {
  const checks = new Checks('maestro')
  if (state.session) {
    checkPhases(checks, state.session)
    checkProgress(checks, state.session, run)
    checkTokens(checks, state.session)
    checkGates(checks, state)
  }
  checkBatches(checks, state, run)
  checkStateDir(checks, state, run)
  return checks.findings
}

const idOf = (phase: Located): string | undefined => textOf(field(phase, 'id'))
const statusOf = (phase: Located | undefined): string | undefined => stringOf(field(phase, 'status'))
const isOver = (phase: Located): boolean => statusOf(phase) === 'completed' || statusOf(phase) === 'skipped'

/** A phase without an id may be one that is named elsewhere. */
const hasIds = (phases: SessionFile['phases']): boolean => phases.every(({ node }) => idOf(node) !== undefined)

function checkPhases(checks: Checks, { document, phases }: SessionFile): void {
  const byId = new Map<string, Located>()
  for (const { node } of phases) {
    const id = idOf(node)
    if (id === undefined) continue
    if (byId.has(id)) checks.add(document, field(node, 'id'), 'unique-id', 'error', 'an id that no other phase has')
    else byId.set(id, node)
  }
  for (const { node } of phases) {
    for (const blocker of itemsOf(field(node, 'blocked_by'))) {
      const id = textOf(blocker)
      if (id === undefined) continue
      const other = byId.get(id)
      if (!other && !hasIds(phases)) continue
      if (!other) checks.add(document, blocker, 'dependency-exists', 'error', 'the id of a phase')
      else if (
        (statusOf(node) === 'in_progress' || statusOf(node) === 'completed') &&
        other !== node &&
        !isOver(other)
      ) {
        checks.add(
          document,
          field(node, 'status'),
          'started-early',
          'error',
          `pending: phase ${id} is ${statusOf(other) ?? 'not completed'}`,
        )
      }
    }
  }
  const dependents = phases.map(({ key, node }) => ({
    key,
    node,
    dependencies: itemsOf(field(node, 'blocked_by')).flatMap((blocker) => textOf(blocker) ?? []),
  }))
  for (const cycle of findCycles(dependents)) {
    const first = dependents.find(({ key }) => key === cycle[0])?.node
    checks.add(document, field(first, 'blocked_by'), 'dependency-cycle', 'error', 'no dependency cycle', {
      found: [...cycle, cycle[0]].join(' → ').slice(0, 200),
    })
  }
}

function checkProgress(checks: Checks, session: SessionFile, { candidate }: RunFiles): void {
  const { document, root, phases } = session
  checkPosition(checks, session)
  checkStatus(checks, session, candidate.archived)
  const mode = field(root, 'execution_mode')
  if (mode && isNull(mode) && phases.some(({ node }) => statusOf(node) !== 'pending'))
    checks.add(document, mode, 'execution-mode', 'warning', 'a mode, as phases were started')
  const active = phases.map(({ node }) => node).filter((node) => statusOf(node) === 'in_progress')
  if (active.length > 1)
    for (const node of active.filter((phase) => booleanOf(field(phase, 'parallel')) === false))
      checks.add(
        document,
        field(node, 'status'),
        'side-by-side',
        'warning',
        'no other phase in progress, as this one is not parallel',
      )
  checkOverlap(checks, document, active)
  for (const { node } of phases) checkPhase(checks, document, node)
  checkOrder(checks, document, root, 'created', 'updated')
  for (const { node } of phases) checkOrder(checks, document, node, 'started', 'completed')
}

function checkPosition(checks: Checks, { document, root, phases }: SessionFile): void {
  const total = field(root, 'total_phases')
  const counted = numberOf(total)
  if (total && counted !== undefined && field(root, 'phases') && counted !== phases.length)
    checks.add(document, total, 'phase-count', 'warning', `${phases.length}, the number of phases`, {
      ...(document.isWhole ? { repair: replaceScalar(total, phases.length) } : {}),
    })
  const current = field(root, 'current_phase')
  const currentId = textOf(current)
  const at = phases.find(({ node }) => idOf(node) === currentId)
  if (currentId !== undefined && phases.length > 0 && hasIds(phases) && !at)
    checks.add(document, current, 'current-phase', 'error', 'the id of a phase')
  const active = phases.find(({ node }) => statusOf(node) === 'in_progress')
  if (at && active && statusOf(at.node) !== 'in_progress' && stringOf(field(root, 'status')) === 'in_progress')
    checks.add(document, current, 'current-phase', 'warning', `${active.key}, the phase in progress`)
}

function checkStatus(checks: Checks, { document, root, phases, file }: SessionFile, isArchived: boolean): void {
  const status = field(root, 'status')
  const open = phases.filter(({ node }) => !isOver(node))
  if (stringOf(status) === 'completed' && open.length > 0)
    checks.add(
      document,
      status,
      'completed-early',
      'warning',
      `in_progress: ${open.length} of ${phases.length} phases are not completed`,
    )
  if (!isArchived) return
  if (stringOf(status) === 'in_progress')
    checks.add(document, status, 'archived', 'warning', 'completed: the session is in the archive')
  const id = field(root, 'session_id')
  const name = nameOf(file).replace(/\.md$/, '')
  if (textOf(id) !== undefined && textOf(id) !== name)
    checks.add(document, id, 'archive-name', 'warning', `${name}, the name of the archive`)
}

function checkOrder(
  checks: Checks,
  document: LocatedDocument,
  parent: Located | undefined,
  first: string,
  second: string,
): void {
  const [from, to] = [timeOf(field(parent, first)), timeOf(field(parent, second))]
  if (from !== undefined && to !== undefined && to < from)
    checks.add(document, field(parent, second), 'time-order', 'warning', `a time after “${first}”`)
}

/** Agents that run in parallel must not change the same files. */
function checkOverlap(checks: Checks, document: LocatedDocument, active: readonly Located[]): void {
  const owners = new Map<string, Located>()
  for (const phase of active) {
    for (const list of ['files_created', 'files_modified', 'files_deleted', 'planned_files']) {
      for (const file of itemsOf(field(phase, list))) {
        const path = textOf(file)
        if (path === undefined) continue
        const owner = owners.get(path)
        if (owner && owner !== phase)
          checks.add(
            document,
            file,
            'file-conflict',
            'error',
            `a file that phase ${idOf(owner) ?? ''} does not change at the same time`,
          )
        else owners.set(path, phase)
      }
    }
  }
}

function checkPhase(checks: Checks, document: LocatedDocument, phase: Located): void {
  const status = statusOf(phase)
  const [started, completed] = [field(phase, 'started'), field(phase, 'completed')]
  const isSet = (node: Located | undefined): boolean => node?.kind === 'scalar' && node.value !== null
  if (status === 'completed' && !isSet(completed))
    checks.add(document, completed ?? phase, 'phase-times', 'warning', 'the time when the phase was completed', {
      found: 'none',
    })
  if (status === 'completed' && !isSet(started))
    checks.add(document, started ?? phase, 'phase-times', 'info', 'the time when the phase was started', {
      found: 'none',
    })
  if (status === 'in_progress' && !isSet(started))
    checks.add(document, started ?? phase, 'phase-times', 'warning', 'the time when the phase was started', {
      found: 'none',
    })
  if ((status === 'pending' || status === 'in_progress') && isSet(completed))
    checks.add(document, completed, 'phase-times', 'warning', `null, as the phase is ${status}`)
  const errors = itemsOf(field(phase, 'errors'))
  if (status === 'failed' && errors.length === 0)
    checks.add(document, field(phase, 'status'), 'failed-why', 'warning', 'a failed phase with an error that says why')
  for (const error of errors) {
    const resolved = field(error, 'resolved')
    const isPending = stringOf(field(error, 'resolution')) === 'pending'
    if (booleanOf(resolved) === true && isPending)
      checks.add(document, field(error, 'resolution'), 'resolution', 'warning', 'how it was resolved')
    if (booleanOf(resolved) === false && !isPending && stringOf(field(error, 'resolution')))
      checks.add(document, resolved, 'resolution', 'warning', 'true, as there is a resolution')
    if (status === 'completed' && booleanOf(resolved) === false)
      checks.add(document, resolved, 'resolution', 'warning', 'true, as the phase is completed')
  }
}

function checkTokens(checks: Checks, { document, root }: SessionFile): void {
  const usage = field(root, 'token_usage')
  const agents = entriesOf(field(usage, 'by_agent'))
  if (agents.length === 0) return
  for (const kind of ['input', 'output', 'cached']) {
    const total = field(usage, `total_${kind}`)
    const sum = agents.reduce((all, [, agent]) => all + (numberOf(field(agent, kind)) ?? 0), 0)
    const recorded = numberOf(total)
    if (recorded !== undefined && recorded < sum)
      checks.add(document, total, 'token-count', 'warning', `at least ${sum}, the sum of all agents`)
  }
}

function checkGates(checks: Checks, { gates, session }: MaestroState): void {
  for (const gate of gates) {
    const approved = field(gate.root, 'approved_at')
    if (
      approved?.kind === 'scalar' &&
      approved.value === null &&
      session &&
      textOf(field(gate.root, 'session_id')) === textOf(field(session.root, 'session_id'))
    ) {
      checks.add(
        gate,
        approved,
        'design-gate',
        'warning',
        'a time: the session was created, so its design was approved',
      )
    }
  }
}

/** ms: exit codes are written before the summary; a summary older by more than this belongs to an earlier dispatch. */
const MAX_SUMMARY_DELAY_MS = 60_000

function checkBatches(checks: Checks, { batches }: MaestroState, { files }: RunFiles): void {
  for (const { summary, folder, agents, failed, succeeded, total } of batches) {
    const reported = itemsOf(field(summary?.root, 'agents'))
    if (summary && reported.length > 0) {
      const successes = reported.filter((node) => statusOf(node) === 'success').length
      const counts = [
        ['total_agents', total, reported.length],
        ['succeeded', succeeded, successes],
        ['failed', failed, reported.length - successes],
      ] as const
      for (const [name, recorded, count] of counts) {
        const node = field(summary.root, name)
        if (node && recorded.value !== null && recorded.value !== count)
          checks.add(summary, node, 'agent-count', 'warning', `${count}, the count of its agents`, {
            ...(summary.isWhole ? { repair: replaceScalar(node, count) } : {}),
          })
      }
    }
    const summaryAt = summary ? (files.get(summary.file)?.modifiedAt ?? null) : null
    for (const { name } of agents) {
      const exitFile = `${folder}/results/${name}.exit`
      const exit = files.get(exitFile)
      const node = field(
        reported.find((agent) => textOf(field(agent, 'name')) === name),
        'exit_code',
      )
      const code = numberOf(node)
      const written = exit?.text?.trim()
      if (written !== undefined && !/^\d{1,9}$/.test(written)) {
        checks.findings.push({
          file: exitFile,
          line: 1,
          column: 1,
          rule: 'maestro/exit-code',
          severity: 'error',
          found: quote(written),
          expected: 'digits',
        })
      } else if (summary && written !== undefined && code !== undefined && Number(written) !== code) {
        checks.add(summary, node, 'exit-code', 'warning', `${Number(written)}, as ${name}.exit says`)
      }
      if (
        summary &&
        summaryAt !== null &&
        typeof exit?.modifiedAt === 'number' &&
        exit.modifiedAt > summaryAt + MAX_SUMMARY_DELAY_MS
      ) {
        checks.add(summary, summary.root, 'stale-summary', 'warning', `a summary younger than ${name}.exit`, {
          found: 'one of an earlier dispatch',
        })
      }
    }
  }
}

function checkStateDir(checks: Checks, { stateDir }: MaestroState, { candidate, files }: RunFiles): void {
  const env = within(candidate.folder, '.env')
  const workspace = files.get(env)?.text ?? undefined
  if (workspace === undefined || candidate.archived) return
  const { value, source } = resolveSetting('MAESTRO_STATE_DIR', { environment: {}, workspace }, '')
  if (source === 'default') return
  const line = workspace.slice(0, Math.max(0, workspace.lastIndexOf('MAESTRO_STATE_DIR='))).split('\n').length
  const place = { file: env, line, column: 1, rule: 'maestro/state-dir' }
  if (within(candidate.folder, value.replace(/^\.\//, '').replace(/\/+$/, '')) !== stateDir) {
    checks.findings.push({
      ...place,
      severity: 'warning',
      found: quote(value),
      expected: `${stateDir}, where this run is: Maestro’s scripts look elsewhere`,
    })
  } else
    checks.findings.push({
      ...place,
      severity: 'info',
      found: quote(value),
      expected: 'the same in the environment: Maestro’s hooks do not read .env',
    })
}
