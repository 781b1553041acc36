import { Checks } from '../checks'
import type { Finding } from '../finding'
import type { RunFiles } from '../format'
import { nameOf } from '../listing'
import { field, itemsOf, stringOf, textOf } from '../text/located'
import { projectPath } from '../text/namedPath'
import { schemaFindings } from '../schemaFindings'
import { agentName } from './batches'
import { contradictions } from './contradictions'
import { agents, designGateSchema, dispatchAgents, sessionSchema, summarySchema } from './schema'
import { openRun, type MaestroState, type SessionFile } from './state'

const knownDrift = {
  task: 'info',
  design_document: 'warning',
  implementation_plan: 'warning',
  execution_mode: 'warning',
  token_usage: 'warning',
  'token_usage.by_agent': 'info',
  'phases.*.name': 'warning',
  'phases.*.downstream_context': 'info',
  'phases.*.downstream_context.key_interfaces_introduced': 'info',
  'phases.*.downstream_context.patterns_established': 'info',
  'phases.*.downstream_context.integration_points': 'info',
  'phases.*.downstream_context.assumptions': 'info',
  'phases.*.downstream_context.warnings': 'info',
} as const

const knownWords = { status: ['pending'] }

export function validate(run: RunFiles): Finding[] {
  const state = openRun(run)
  const { session, gates, batches } = state
  const checks = new Checks('maestro')
  if (session) {
    checkSession(checks, session, run)
    checkPlans(checks, state, session, run)
  }
  checkPrompts(checks, state, run)
  return [
    ...state.findings,
    ...contradictions(run, state),
    ...(session
      ? schemaFindings(session.document, sessionSchema, { format: 'maestro', severities: knownDrift, knownWords })
      : []),
    ...gates.flatMap((gate) => schemaFindings(gate, designGateSchema, { format: 'maestro' })),
    ...batches.flatMap(({ summary }) => (summary ? schemaFindings(summary, summarySchema, { format: 'maestro' }) : [])),
    ...checks.findings,
  ]
}

function checkSession(checks: Checks, { document, root, front, phases }: SessionFile, { candidate }: RunFiles): void {
  const id = field(root, 'session_id')
  if (textOf(id) !== undefined && !/^\d{4}-\d\d-\d\d-/.test(textOf(id) ?? ''))
    checks.add(document, id, 'session-id', 'info', 'an id that starts with its day, such as 2026-02-24-topic')
  const { text } = document.text
  if (front.syntax === 'json' && text.includes('\r\n')) {
    const offset = text.indexOf('\r\n')
    checks.findings.push(
      document.text.finding(
        { start: offset, end: offset + 2 },
        'maestro/line-ends',
        'warning',
        'LF: the server that reads JSON front matter knows no other',
        { found: 'lines that end with CR LF' },
      ),
    )
  }
  const noted = new Set<string>()
  for (const { node } of phases) {
    for (const agent of itemsOf(field(node, 'agents'))) {
      const normal = (textOf(agent) ?? '').replaceAll('-', '_').toLowerCase()
      if (agents.has(normal) || noted.has(normal)) continue
      noted.add(normal)
      checks.add(document, agent, 'agent', 'info', 'an agent of Maestro')
    }
    for (const list of ['files_created', 'files_modified', 'files_deleted', 'planned_files']) {
      for (const file of itemsOf(field(node, list))) {
        const path = stringOf(file)
        if (path && projectPath(candidate.folder, path) === undefined)
          checks.add(document, file, 'path', 'warning', 'a path relative to the project, without “..”')
      }
    }
  }
}

function checkPlans(
  checks: Checks,
  { details }: MaestroState,
  { document, root }: SessionFile,
  { candidate }: RunFiles,
): void {
  for (const { kind, path, named } of details.plans) {
    const node = field(root, kind === 'design' ? 'design_document' : 'implementation_plan')
    const where = projectPath(candidate.folder, named.value ?? '')
    if (path === null) checks.add(document, node, 'plan-exists', 'warning', 'the path of a file that is there')
    else if (where !== path) checks.add(document, node, 'plan-moved', 'info', `${path}, where the plan is now`)
  }
}

function checkPrompts(checks: Checks, { batches }: MaestroState, { listing }: RunFiles): void {
  for (const { folder } of batches) {
    const owners = new Map<string, string>()
    for (const file of listing.below(`${folder}/prompts`)) {
      const problem = (severity: 'error' | 'warning', found: string, expected: string): void =>
        void checks.findings.push({ file, line: 1, column: 1, rule: 'maestro/prompt', severity, found, expected })
      const name = agentName(nameOf(file))
      const other = owners.get(name)
      if (nameOf(file).startsWith('.')) continue
      if (file.slice(`${folder}/prompts/`.length).includes('/'))
        problem('error', 'a folder among the prompts', 'files only: the dispatcher stops here')
      else if (!dispatchAgents.some((agent) => agent === name.replaceAll('-', '_')))
        problem('warning', `the agent “${name}”`, 'one of the twelve agents of version 1.2.1')
      else if (other !== undefined)
        problem(
          'error',
          `the agent “${name}”, like ${nameOf(other)}`,
          'one prompt for each agent: both write the same results',
        )
      owners.set(name, file)
    }
  }
}
