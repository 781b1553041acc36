import { AppError } from '@shared/contract/errors'
import { z } from 'zod'
import { asJson, outputOf } from '../actions/diagnose'
import { completeActions } from '../actions/completeAction'
import { addProposals, nextFixNumber, PROPOSALS } from '../actions/proposals'
import { StateDraft, type TuningRun } from '../actions/tuningRun'
import type { Issue } from '../details'
import { actionNames } from '../progress'
import { strategies } from '../schema'
import { provenChanges } from './provenChanges'
import { answerWith, describeIssue, describeSkill, question, READ_ONLY, showFiles, type Question } from './question'

const text = z.string().max(4_000)

export const changesSchema = z
  .array(
    z.object({
      file: z.string().min(1).max(1_000),
      action: z.enum(['create', 'modify', 'delete']),
      old_content: z.string().max(200_000).optional(),
      new_content: z.string().max(200_000).optional(),
      diff: z.string().max(200_000).optional(),
    }),
  )
  .min(1)
  .max(20)

const fixSchema = z.object({
  description: text.min(1),
  rationale: text.default(''),
  strategy: z.enum(strategies).catch('custom'),
  risk: z.enum(['low', 'medium', 'high']).catch('high'),
  estimated_impact: text.default(''),
  verification_steps: z.array(text).max(20).default([]),
  changes: changesSchema,
})

const CHANGE = '{ "file": "path in the skill", "action": "modify", "old_content": "…", "new_content": "…" }'

export const changeRules = [
  'A change of "modify" has old_content, copied exactly from the file and there only once, and new_content; or a diff in unified format with hunks.',
  'A change of "create" has new_content; one of "delete" has nothing else.',
  'Each file is a single Markdown file of the skill, with its path from the skill’s folder. No patterns such as *.md.',
  'Change as little as the issue needs, and keep the tone and layout of the file.',
]

export const CHANGES_SHAPE = `{ "changes": [${CHANGE}] }`

const SHAPE = `{ "description": "…", "rationale": "…", "strategy": "one of ${strategies.join(', ')}", "risk": "low, medium or high",
  "estimated_impact": "…", "verification_steps": ["…"], "changes": [${CHANGE}] }`

function requireIssue({ state }: TuningRun, id: string): Issue {
  const issue = state.details.issues.find((one) => one.id.value === id)
  if (issue) return issue
  throw new AppError('NOT_FOUND', `${id} is not in the list of issues any more.`)
}

export function fixQuestion(run: TuningRun, id: string): Question {
  const issue = requireIssue(run, id)
  return question({
    prompt: [
      'Propose a fix for one issue in the written instructions of an agent, its skill. A person chooses whether it is applied.',
      READ_ONLY,
      describeSkill(run),
      describeIssue(issue),
      showFiles(run, [...issue.files.flatMap(({ value }) => value ?? []), 'SKILL.md']),
      answerWith(SHAPE, changeRules),
    ],
    schema: fixSchema,
    accept: (now, { risk, changes: described, ...fix }, values) => {
      const { changes, scanned } = provenChanges(now, described, [id])
      const isProven = scanned.verdict === 'pass'
      const draft = new StateDraft(now, values)
      const name = `FIX-${nextFixNumber(now)}`
      addProposals(now, draft, [
        asJson({
          id: name,
          issue_ids: [id],
          ...fix,
          changes,
          // The agent's low risk counts only where the scanners agree that the fix helps.
          risk: !isProven ? 'high' : risk === 'low' ? 'medium' : risk,
          verification_steps: [
            ...(isProven ? [`Scan the skill again: ${id} is no longer found.`] : []),
            ...fix.verification_steps,
          ],
        }),
      ])
      completeActions(now, draft, values, [{ action: actionNames.propose, outputs: [outputOf(now, PROPOSALS)] }])
      return draft.finish(`Proposed ${name} for ${id}, from an agent`, isProven ? [] : [scanned.reason])
    },
  })
}
