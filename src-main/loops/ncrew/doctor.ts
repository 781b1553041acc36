import type { Finding } from '../../formats/finding'
import { printFinding } from '../../formats/finding'
import { slug } from '../../formats/ncrew/heading'
import { nextTask } from '../../formats/ncrew/state'
import { noAgent } from '../noAgent'
import { expertFileOf, type Crew } from './crewFiles'
import { agentFor, llmOf } from './resolve'

export interface Check {
  readonly area: 'Structure' | 'State' | 'Crew' | 'Git' | 'Agents'
  readonly level: 'ok' | 'warning' | 'error'
  readonly text: string
  readonly hint?: string
}

export interface DoctorFacts {
  readonly findings: readonly Finding[]
  readonly git: { readonly isRepository: boolean; readonly branch: string | null; readonly changes: number } | undefined
  readonly agents: readonly { readonly name: string; readonly program: string | null }[]
}

export function diagnose(crew: Crew, { findings, git, agents }: DoctorFacts): Check[] {
  return [...structure(crew), ...state(findings), ...experts(crew), ...gitChecks(git), ...agentChecks(crew, agents)]
}

function structure({ state: { idea, index, tasks, manifest, phases }, listing }: Crew): Check[] {
  const file = (path: string | undefined, name: string, level: 'warning' | 'error', hint: string): Check =>
    path === undefined
      ? { area: 'Structure', level, text: `${name} is missing`, hint }
      : { area: 'Structure', level: 'ok', text: `${path} found` }
  const count = phases.reduce((sum, phase) => sum + phase.tasks.length, 0)
  return [
    file(idea?.text.path, 'IDEA.md', 'error', 'Describe in it what to build.'),
    file(index?.text.path, 'INDEX.md', 'error', 'Run ncrew init to create it.'),
    file(tasks?.text.path, 'tasks.md', 'error', 'Run ncrew init to create it.'),
    ...(tasks
      ? [
          count > 0
            ? ok('Structure', `${count} tasks in ${phases.length} phases`)
            : ({
                area: 'Structure',
                level: 'error',
                text: `${tasks.text.path} has no phase with tasks`,
                hint: 'Add headings “## <Name> Phase” with checkboxes below them.',
              } satisfies Check),
        ]
      : []),
    file(manifest?.file, '.noodlecrew/manifest.yml', 'error', 'Run ncrew init to create it.'),
    file(
      listing.hasFile('.noodlecrew/WORKFLOW.md') ? '.noodlecrew/WORKFLOW.md' : undefined,
      '.noodlecrew/WORKFLOW.md',
      'warning',
      'Without it, experts get only the instruction at the end of the prompt.',
    ),
  ]
}

function state(findings: readonly Finding[]): Check[] {
  const problems = findings.filter(({ severity }) => severity !== 'info')
  if (problems.length === 0) return [ok('State', 'no problems found')]
  return problems.map((finding): Check => ({
    area: 'State',
    level: finding.severity === 'error' ? 'error' : 'warning',
    text: printFinding(finding),
    ...(finding.repair ? { hint: `Repair: ${finding.repair.title}.` } : {}),
  }))
}

function experts(crew: Crew): Check[] {
  const { state } = crew
  const next = nextTask(state)
  const missing = state.experts.filter(({ role }) => expertFileOf(crew, role) === undefined)
  const unserved = state.phases.filter(
    ({ name, tasks }) =>
      tasks.some(({ line }) => !line.checked) &&
      !state.experts.some((expert) => expert.phase !== undefined && slug(expert.phase) === slug(name)),
  )
  return [
    ...missing.map(({ role }): Check => ({
      area: 'Crew',
      level: 'warning',
      text: `${role} has no EXPERT.md`,
      hint: `Describe it in .noodlecrew/experts/${role}/EXPERT.md.`,
    })),
    ...unserved.map(({ name }): Check => ({
      area: 'Crew',
      level: 'error',
      text: `no expert for phase ${name}`,
      hint: 'Assign one in the manifest.',
    })),
    ...(missing.length + unserved.length === 0
      ? [ok('Crew', `${state.experts.length} experts, one for each phase with open tasks`)]
      : []),
    ok('Crew', next ? `next: ${slug(next.phase.name)}, ${next.task.line.text}` : 'no open tasks'),
  ]
}

function gitChecks(git: DoctorFacts['git']): Check[] {
  if (!git)
    return [
      {
        area: 'Git',
        level: 'warning',
        text: 'not checked: the folder is not trusted',
        hint: 'Run bridgedeck project trust DIR to allow git and agents in it.',
      },
    ]
  if (!git.isRepository)
    return [
      {
        area: 'Git',
        level: 'error',
        text: 'no repository',
        hint: 'Experts commit each task: run git init and make a first commit.',
      },
    ]
  return [
    ok('Git', git.branch === null ? 'no branch' : `on branch ${git.branch}`),
    git.changes === 0
      ? ok('Git', 'no uncommitted changes')
      : {
          area: 'Git',
          level: 'warning',
          text: `${git.changes} uncommitted files`,
          hint: 'The next expert would commit them with its own changes.',
        },
  ]
}

function agentChecks({ state }: Crew, agents: DoctorFacts['agents']): Check[] {
  if (agents.length === 0)
    return [
      {
        area: 'Agents',
        level: 'error',
        text: 'no agent is set up',
        hint: noAgent.hint,
      },
    ]
  const names = agents.map(({ name }) => name)
  const programs = agents.map(({ name, program }): Check =>
    program === null
      ? {
          area: 'Agents',
          level: 'warning',
          text: `${name}: program not found`,
          hint: 'Install it, or set its path in the Agents view.',
        }
      : ok('Agents', `${name}: ${program}`),
  )
  const unknown = new Set(
    state.experts.flatMap((expert) => llmOf(state, expert) ?? []).filter((llm) => agentFor(llm, names) === undefined),
  )
  return [
    ...programs,
    ...[...unknown].map((llm): Check => ({
      area: 'Agents',
      level: names.length === 1 ? 'warning' : 'error',
      text: `the crew asks for “${llm}”, which is not set up`,
      hint: names.length === 1 ? `${names[0] ?? ''} is used instead.` : `Choose one with --agent: ${names.join(', ')}.`,
    })),
  ]
}

const ok = (area: Check['area'], text: string): Check => ({ area, level: 'ok', text })

const marks: Readonly<Record<Check['level'], string>> = { ok: '✓', warning: '⚠', error: '✗' }

export function printChecks(checks: readonly Check[], isQuiet: boolean): string {
  const shown = isQuiet ? checks.filter(({ level }) => level === 'error') : checks
  const areas = [...new Set(shown.map(({ area }) => area))]
  const count = (level: Check['level'], word: string) => {
    const number = checks.filter((check) => check.level === level).length
    return `${number} ${word}${number === 1 ? '' : 's'}`
  }
  const blocks = areas.map((area) => {
    const lines = shown
      .filter((check) => check.area === area)
      .flatMap(({ level, text, hint }) => [
        `  ${marks[level]} ${text}`,
        ...(hint === undefined ? [] : [`    → ${hint}`]),
      ])
    return [`${area}:`, ...lines].join('\n')
  })
  return [...blocks, `Summary: ${count('error', 'error')}, ${count('warning', 'warning')}`].join('\n\n')
}
