import { contextFields } from '../../../formats/maestro/schema'
import type { PhaseDetails } from '../../../formats/maestro/details'

interface Delegation {
  readonly agent: string
  readonly task: string
  readonly phase: { readonly id: string; readonly title: string; readonly files: readonly string[] }
  readonly plan: string
  readonly before: readonly Pick<PhaseDetails, 'key' | 'name' | 'downstream' | 'files'>[]
  readonly errors: readonly string[]
  readonly wasInterrupted: boolean
}

export function delegationPrompt({ agent, task, phase, plan, before, errors, wasInterrupted }: Delegation): string {
  return [
    `You are the agent ${agent}. Do phase ${phase.id} of a larger task, and nothing beyond it.`,
    `# Task\n\n${task}`,
    `# Phase ${phase.id}: ${phase.title}`,
    plan,
    phase.files.length === 0 ? '' : `Planned files:\n${phase.files.map((file) => `- ${file}`).join('\n')}`,
    before.length === 0 ? '' : `# What earlier phases hand over\n\n${before.map(handedOver).join('\n\n')}`,
    errors.length === 0 ? '' : `# Errors of earlier attempts\n\n${errors.map((error) => `- ${error}`).join('\n')}`,
    wasInterrupted ? 'An earlier attempt was cut off: look at what is there before you go on.' : '',
    reportRequest,
  ]
    .filter((part) => part !== '')
    .join('\n\n')
}

function handedOver({ key, name, downstream, files }: Delegation['before'][number]): string {
  const values = (facts: readonly { readonly value: string | null }[]) => facts.flatMap(({ value }) => value ?? [])
  const changed = [...values(files.created), ...values(files.modified)]
  return [
    `## Phase ${key}: ${name.value ?? ''}`,
    ...(changed.length === 0 ? [] : [`- files: ${changed.join(', ')}`]),
    ...downstream.flatMap((field) => {
      const entries = values(field.entries)
      return entries.length === 0 ? [] : [`- ${field.name.replaceAll('_', ' ')}: ${entries.join('; ')}`]
    }),
  ].join('\n')
}

const titled = (name: string): string =>
  name
    .split('_')
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join(' ')

const reportRequest = [
  'End your answer with exactly these two sections; write none where there is nothing:',
  [
    '## Task Report',
    '- **Status**: success, partial or failure',
    '- **Files Created**: paths relative to the project, each in backquotes',
    '- **Files Modified**:',
    '- **Files Deleted**:',
    '- **Validation**: pass, fail or skipped',
    '- **Errors**:',
    '- **Blockers**: what only a person can decide',
  ].join('\n'),
  ['## Downstream Context', ...contextFields.map((field) => `- **${titled(field)}**:`)].join('\n'),
].join('\n\n')

export const repeatPrompt = (answer: string): string =>
  [
    'Your answer below has no report that can be read. Change nothing; answer with the report alone.',
    reportRequest,
    `# Your answer\n\n${answer.slice(-MAX_REPEATED_CHARACTERS)}`,
  ].join('\n\n')

const MAX_REPEATED_CHARACTERS = 50_000

export const REVIEW_SHAPE =
  '{"findings": [{"severity": "critical|major|minor|suggestion", "file": "…", "message": "…"}]}'

export const reviewPrompt = (task: string, files: readonly string[]): string =>
  [
    'You are the agent code_reviewer. Review the work on the task below. Change no file.',
    `# Task\n\n${task}`,
    `# Changed files\n\n${files.map((file) => `- ${file}`).join('\n')}`,
    'critical: wrong results, lost data or a hole in security. major: a fault that users meet. Judge only what is there.',
    `Answer with one JSON object and nothing else: ${REVIEW_SHAPE}. No findings: an empty list.`,
  ].join('\n\n')

export const repairReviewPrompt = (answer: string): string =>
  `Turn this review into one JSON object ${REVIEW_SHAPE} and answer with it alone:\n\n${answer.slice(-MAX_REPEATED_CHARACTERS)}`
