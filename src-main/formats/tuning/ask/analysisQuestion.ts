import { AppError } from '@shared/contract/errors'
import { z } from 'zod'
import { within } from '../../listing'
import { field, itemsOf } from '../../text/located'
import { asJson, outputOf, requireTexts } from '../actions/diagnose'
import { completeActions } from '../actions/completeAction'
import { countIssues } from '../actions/issues'
import { StateDraft, type TuningRun } from '../actions/tuningRun'
import { knownIssues } from '../knownIssues'
import { actionNames } from '../progress'
import { issueKinds } from '../scan/issues'
import { type analysisAreas, issueSchema } from '../schema'
import { severities } from '../scores'
import type { TuningState } from '../state'
import { answerWith, describeSkill, question, quoted, READ_ONLY, showFiles, type Question } from './question'

const PREFIX = 'LLM'

/** Characters; a longer description is analysed for its cause. */
const LONG_PROBLEM_CHARACTERS = 100

const text = z.string().min(1).max(4_000)

const analysisSchema = z.object({
  summary: z.string().max(20_000),
  issues: z
    .array(
      z.object({
        type: issueSchema.shape.type,
        severity: issueSchema.shape.severity,
        file: z.string().min(1).max(1_000),
        quote: text,
        description: text,
        root_cause: text,
        impact: text,
        suggested_fix: text,
      }),
    )
    .max(20),
})

const tasks = {
  root_cause: 'Find the root cause of the reported problem.',
  architecture: 'Judge how the phases and agents are divided, and what that breaks.',
  prompt_optimization: 'Find prompts that are unclear, too long, or miss what their agent needs.',
  performance: 'Find what makes runs of this skill slow or expensive.',
} as const

type AnalysisType = keyof typeof tasks

export const analysisTypes: readonly string[] = Object.keys(tasks)

const analyses: ReadonlyMap<string, AnalysisType> = new Map<(typeof analysisAreas)[number], AnalysisType>([
  ['architecture', 'architecture'],
  ['prompt', 'prompt_optimization'],
  ['performance', 'performance'],
  ['custom', 'root_cause'],
])

export const wantsAnalysis = ({ details: { focus } }: Pick<TuningState, 'details'>): boolean =>
  focus.some(({ value }) => analyses.has(value ?? ''))

function analysisType({ details }: TuningState): AnalysisType {
  const { focus, problem, issuesBySeverity } = details
  if (issuesBySeverity.decisive.critical > 0 || (problem.value ?? '').length > LONG_PROBLEM_CHARACTERS)
    return 'root_cause'
  return focus.flatMap(({ value }) => analyses.get(value ?? '') ?? [])[0] ?? 'root_cause'
}

const SHAPE = `{ "summary": "Markdown", "issues": [{ "type": "${Object.values(issueKinds)
  .map(({ type }) => type)
  .join(' | ')}", "severity": "${severities.join(' | ')}",
  "file": "path in the skill", "quote": "one line, copied exactly from that file", "description": "…", "root_cause": "…", "impact": "…", "suggested_fix": "…" }] }`

export function analysisQuestion(run: TuningRun): Question {
  const type = analysisType(run.state)
  const known = run.state.details.issues.map(
    ({ id, files, description }) => `${id.value ?? ''} ${files[0]?.value ?? ''}: ${description.value ?? ''}`,
  )
  const skill = requireTexts(run)
  return question({
    prompt: [
      `Analyse the written instructions of an agent, its skill. ${tasks[type]}`,
      READ_ONLY,
      describeSkill(run),
      known.length === 0 ? '' : `Issues that are known, not to be repeated:\n${quoted(known.join('\n'))}`,
      showFiles(run, ['SKILL.md', ...skill.keys()]),
      answerWith(SHAPE, [
        'Each issue quotes its evidence; one without is refused.',
        'At most 20 issues, the worst first. None is an answer, too.',
      ]),
    ],
    schema: analysisSchema,
    accept: (now, { summary, issues }, values) => {
      const texts = requireTexts(now)
      const { usedIds } = knownIssues(now.state)
      const last = Math.max(0, ...usedIds.map((id) => Number(new RegExp(`^${PREFIX}-(\\d{1,9})$`).exec(id)?.[1] ?? 0)))
      const listed = itemsOf(field(now.state.root, 'issues')).length
      const draft = new StateDraft(now, values)
      issues.forEach(({ quote, file, ...issue }, index) => {
        const line = requireLine(texts, file, quote)
        draft.set(
          ['issues', listed + index],
          asJson({
            id: `${PREFIX}-${last + index + 1}`,
            ...issue,
            priority: listed + index + 1,
            location: { file, line_start: line, line_end: line },
            evidence: [`${file}:${line}: ${quote.trim()}`],
            related_issues: [],
          }),
        )
      })
      countIssues(draft, [
        ...now.state.details.issues.map(({ severity, confidence }) => ({
          severity: severity.value,
          confidence: confidence.value,
        })),
        ...issues,
      ])
      const outputs = {
        json: `${JSON.stringify({ type, summary, issues }, undefined, 2)}\n`,
        md: `${summary.trim()}\n`,
      }
      const files = Object.entries(outputs).map(([ending, content]) => {
        const file = `diagnosis/gemini-analysis-${type}.${ending}`
        draft.write(within(now.files.candidate.marker, file), content)
        return outputOf(now, file)
      })
      completeActions(now, draft, values, [{ action: actionNames.analyse, outputs: files }])
      return draft.finish(`Analysed the skill: ${issues.length} more issue${issues.length === 1 ? '' : 's'}`)
    },
  })
}

/**
 * @returns the line with the quote, from 1
 * @throws AppError CONFLICT when the file does not contain it
 */
function requireLine(texts: ReadonlyMap<string, string>, file: string, quote: string): number {
  const text = texts.get(file)
  if (text === undefined) throw new AppError('CONFLICT', `${file} is not a Markdown file of the skill.`)
  const at = text.indexOf(quote.trim())
  if (at < 0 || quote.trim() === '')
    throw new AppError('CONFLICT', `The quote “${quote.trim().slice(0, 200)}” is not in ${file}.`)
  return text.slice(0, at).split('\n').length
}
