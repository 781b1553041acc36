import { AppError } from '@shared/contract/errors'
import type { EditValues, OfferedField } from '@shared/contract/edits'
import { Draft } from '../../edit/draft'
import { answeredSummary, MAX_LINE_LENGTH, type Offer, type Refusal } from '../../edit/offer'
import { quote, type TextEdit } from '../../finding'
import type { RunFiles } from '../../format'
import { textOf } from '../../text/located'
import { newlineOf, replaceSpan } from '../../text/splice'
import type { StateText } from '../../text/stateFile'
import type { MarkdownFile } from '../markdownFile'
import { answerLine, isFilledIn, isOpen, type Question } from '../questions'

export function answer(files: RunFiles, question: Question): readonly (Offer | Refusal)[] {
  const { file, title, status, decision, reason, decisionLine, recommendation } = question
  const path = file.text.path
  const refuse = (because: string, hint: string): Refusal[] => [{ name: 'answer', target: path, because, hint }]
  const isResolved = textOf(status)?.trim().toLowerCase() === 'resolved' && file.front.syntax !== 'none'
  if (!isOpen(question))
    return refuse(
      `${path} is already answered (status: ${textOf(status) ?? 'none'}).`,
      'To change the answer, use an editor.',
    )
  if (!decisionLine)
    return refuse(
      `${path} has no line **Decision:** for the answer.`,
      'Add the line in an editor, or write the answer there and set status: resolved.',
    )
  const reasonLine = answerLine(file, 'Reason')
  const fields: OfferedField[] = [
    { name: 'decision', label: 'Decision', kind: 'line', value: decision ?? '', suggestions: question.options },
    ...(reasonLine
      ? [{ name: 'reason', label: 'Reason', kind: 'line', value: reason ?? '', optional: true } as const]
      : []),
  ]
  const offer: Offer = {
    name: isResolved ? 'write-decision' : 'answer',
    target: path,
    title: `Answer: ${title}`,
    effect: 'Writes your decision into the question and resolves it; the next expert reads it there.',
    fields,
    source: { file: path, line: decisionLine.line },
    answersNeed: true,
    ...(recommendation === undefined ? {} : { unattended: unattendedAnswer(recommendation, reasonLine !== undefined) }),
    plan: (values) => {
      const draft = new Draft(files)
      const dateLine = answerLine(file, 'Date')
      const dated = dateLine && !isFilledIn(dateLine.value) ? fillIn(file, 'Date', values.time.slice(0, 10)) : []
      draft.edit(path, [
        ...fillIn(file, 'Decision', values.text('decision')),
        ...fillIn(file, 'Reason', values.text('reason')),
        ...dated,
      ])
      if (file.front.syntax === 'none')
        draft.edit(path, [resolvedFront(draft.text(path), files.files.get(path)?.modifiedAt ?? values.now)])
      else draft.front(path, ['status'], 'resolved')
      return { summary: answeredSummary(title), changes: draft.changes, warnings: [] }
    },
  }
  if (!isResolved) return [offer]
  // Somebody has answered it meanwhile: that is not overwritten with what was typed for the open question.
  const blank = `${path} is already answered (status: resolved), but no decision is written in it.`
  return [offer, ...refuse(blank, 'Write the decision with the action write-decision.')]
}

const unattendedAnswer = (decision: string, hasReason: boolean): EditValues => ({
  decision: decision.slice(0, MAX_LINE_LENGTH),
  ...(hasReason ? { reason: 'As recommended; nobody was asked.' } : {}),
})

/**
 * Without a status a question would never be resolved, so missing front matter is added.
 * @param created ms since 1970
 */
function resolvedFront({ start, text }: StateText, created: number): TextEdit {
  const day = new Date(created).toISOString().slice(0, 10)
  const values = ['from: unknown', 'to: user', 'type: blocker', 'status: resolved', `created: "${day}"`]
  const lines = ['---', ...values, '---', '', '']
  return { offset: start, length: 0, text: lines.join(newlineOf(text)) }
}

function fillIn(file: MarkdownFile, name: 'Decision' | 'Reason' | 'Date', text: string | undefined): TextEdit[] {
  const place = answerLine(file, name)
  if (text === undefined || !place) return []
  if (!isFilledIn(text))
    throw new AppError('INVALID', `${quote(text)} looks like an empty placeholder.`, {
      hint: 'Write words, not only marks such as ___ or “TBD”, and not all of it in brackets.',
    })
  return place.value === text ? [] : [replaceSpan(place, `${place.gap}${text}`)]
}
