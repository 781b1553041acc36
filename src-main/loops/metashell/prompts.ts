import type { Json } from '@shared/json'
import type { AgentStep } from './nextStep'
import type { Gap } from './answers'
import type { PersonsAnswer, ResumeData, Snapshot, TaskState } from './snapshot'

/** Characters of context.md and other files in one prompt. */
const MAX_LENGTH = 400_000

export function orchestratorPrompt({ phase }: Snapshot, step: AgentStep, context: string): string {
  return `Current State: Phase ${phase} (${activity(step)}), Context: ${context}`
}

function activity(step: AgentStep): string {
  switch (step.kind) {
    case 'research':
      return 'Researching'
    case 'plan':
      return 'Planning'
    case 'execute':
      return `Executing Task ${step.task.id}`
    case 'verify':
      return 'Verifying'
  }
}

export const researcherMessage = (phase: string, context: string): string =>
  parts([
    ['Phase', phase],
    ['Project context (.meta/context.md)', context],
  ])

interface LastPlan {
  readonly text: string | undefined
  readonly tasks: readonly TaskState[]
  readonly gaps: readonly Gap[]
  readonly checks: string | undefined
}

export const plannerMessage = (
  phase: string,
  context: string,
  research: string | undefined,
  last: LastPlan | undefined,
  answers: readonly PersonsAnswer[],
  problem: string | undefined,
): string =>
  parts([
    ['Answers of the person', answersText(answers)],
    ['Phase', phase],
    ['Project context (.meta/context.md)', context],
    ['Research (research.json)', research],
    ['The last plan (plan.json)', last?.text],
    ['What is done of it', last && last.tasks.length > 0 ? last.tasks.map(taskLine).join('\n') : undefined],
    [
      'Gaps that the verification of the last plan found: plan the tasks that close them',
      last && last.gaps.length > 0 ? last.gaps.map(gapText).join('\n') : undefined,
    ],
    ['Checks of it that Bridgedeck ran', last?.checks],
    ['Your last answer could not be taken', problem],
  ])

const taskLine = ({ id, title, status, commits }: TaskState): string =>
  `- ${id} ${title}: ${status ?? 'unknown'}${commits.length === 0 ? '' : `, commits ${commits.join(', ')}`}`

const gapText = ({ description, suggestedTask }: Gap): string =>
  `- ${description}${suggestedTask === undefined ? '' : `\n  Suggested task: ${suggestedTask}`}`

export const executorMessage = (
  task: Json,
  resume: ResumeData | undefined,
  answers: readonly PersonsAnswer[],
  failedCheck: string | undefined,
): string =>
  parts([
    ['Task', JSON.stringify(task, null, 2)],
    ['Answers of the person to earlier questions', answersText(answers)],
    ['resume_data', resume && JSON.stringify(resume, null, 2)],
    ['The last attempt failed this check, which Bridgedeck ran', failedCheck],
    ['Answer', resume && `User replied: ${resume.user_input}`],
  ])

export const verifierMessage = (
  plan: string,
  summaries: readonly string[],
  answers: readonly PersonsAnswer[],
  checks: string | undefined,
): string =>
  parts([
    ['Plan (plan.json)', plan],
    ['Answers of the person', answersText(answers)],
    ['Summaries of its tasks', summaries.length === 0 ? 'none' : summaries.join('\n\n')],
    ['Checks that Bridgedeck ran', checks],
  ])

export const fixerMessage = (what: string, raw: string): string =>
  parts([
    ['What it should have been', what],
    ['The text', raw.length > MAX_LENGTH ? raw.slice(-MAX_LENGTH) : raw],
  ])

const answersText = (answers: readonly PersonsAnswer[]): string | undefined =>
  answers.length === 0
    ? undefined
    : answers
        .map(({ taskId, question, user_input }) =>
          [
            `- Task ${taskId ?? 'unknown'}`,
            ...(question === undefined ? [] : [`asked: ${question}`]),
            `answer: ${user_input}`,
          ].join('\n  '),
        )
        .join('\n')

function parts(sections: readonly (readonly [title: string, text: string | undefined])[]): string {
  return sections
    .flatMap(([title, text]) => (text === undefined ? [] : [`## ${title}\n\n${text.slice(0, MAX_LENGTH).trim()}`]))
    .join('\n\n')
}

export const joinPrompt = (systemPrompt: string, userMessage: string): string =>
  `${systemPrompt.trim()}\n\n---\n\n${userMessage.trim()}\n`
