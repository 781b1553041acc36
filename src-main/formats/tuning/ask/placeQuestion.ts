import { z } from 'zod'
import { field, itemsOf, plain, textOf } from '../../text/located'
import { AppError } from '@shared/contract/errors'
import { planPlaced } from '../actions/placeFix'
import { fixNode } from '../fix'
import { unplacedChanges } from '../unplaced'
import type { TuningRun } from '../actions/tuningRun'
import { changeRules, changesSchema, CHANGES_SHAPE } from './fixQuestion'
import { answerWith, describeSkill, question, quoted, READ_ONLY, showFiles, type Question } from './question'

const placedSchema = z.object({ changes: changesSchema })

export function placeQuestion(run: TuningRun, id: string): Question {
  const { files, state } = run
  const fix = fixNode(state, id)
  if (!fix)
    throw new AppError('NOT_FOUND', `${id} is not among the proposed fixes.`, { hint: 'Choose the fixes again.' })
  const unplaced = unplacedChanges(files, state, fix)
  const changes = itemsOf(field(fix, 'changes')).map((change) => plain(change))
  return question({
    prompt: [
      'A fix for the written instructions of an agent, its skill, says what to change, but not where. Find the place for it.',
      READ_ONLY,
      describeSkill(run),
      `# Fix ${id}`,
      quoted([textOf(field(fix, 'description')), textOf(field(fix, 'rationale'))].filter(Boolean).join('\n')),
      `Its changes as they were proposed:\n\n${quoted(JSON.stringify(changes, undefined, 2))}`,
      showFiles(
        run,
        unplaced.flatMap((change) => change.files),
      ),
      answerWith(CHANGES_SHAPE, [
        ...changeRules,
        'Keep to what the fix is about; leave out files where it does not belong.',
      ]),
    ],
    schema: placedSchema,
    accept: (now, placed, values) => planPlaced(now, id, placed.changes, values),
  })
}
