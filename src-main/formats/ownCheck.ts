import { AppError } from '@shared/contract/errors'
import type { ValueSource } from '@shared/contract/orchestration'
import type { Offer } from './edit/offer'
import type { Remembered } from './format'
import { checkText, isCheckFailure } from '@shared/hostCheck'
import { fileFinding, type Finding } from './finding'
import { decideChecks, isShowable, shownCheck } from './hostChecks'
import type { PhaseView, TaskView } from './run'

const OWN_CHECK = 'own check'

export const ownCheck = (remembered: Remembered): string | undefined => remembered.get(OWN_CHECK)

export function ownCheckOffer(
  remembered: Remembered,
  source: ValueSource,
  { when, then }: { readonly when: string; readonly then: string },
): Offer {
  const known = ownCheck(remembered)
  return {
    name: 'set-check',
    target: '',
    title: 'Set the check command',
    source,
    answersNeed: false,
    effect: `Bridgedeck runs exactly this command in the run’s folder ${when}. ${then} Left empty, nothing is checked. No project file changes.`,
    fields: [
      {
        name: 'command',
        label: 'Check command',
        kind: 'line',
        value: known ?? '',
        optional: true,
        help: 'Such as: make test',
      },
    ],
    plan: (values) => {
      const command = values.text('command')?.trim() ?? ''
      if (command === (known ?? '')) throw new AppError('INVALID', 'The check is this command already.')
      if (command === '')
        return { summary: 'Removed the check command', changes: [], warnings: [], remember: { [OWN_CHECK]: null } }
      if (!isShowable(command))
        throw new AppError('INVALID', 'A check command has at most 500 characters, all of which can be seen.')
      return {
        summary: `Set the check command: ${command}`,
        changes: [],
        warnings: [],
        remember: { [OWN_CHECK]: command, ...decideChecks(remembered, 'approved', [command]) },
      }
    },
  }
}

export const withChecks = (phases: readonly PhaseView[], remembered: Remembered): PhaseView[] =>
  phases.map((phase) => ({
    ...withCheck(phase, remembered),
    tasks: phase.tasks.map((task) => withCheck(task, remembered)),
  }))

function withCheck<Item extends PhaseView | TaskView>(item: Item, remembered: Remembered): Item {
  const check =
    item.state.value === 'done' || item.state.value === 'failed' ? shownCheck(remembered, item.key) : undefined
  return check ? { ...item, check } : item
}

export const ownCheckFindings = (phases: readonly PhaseView[], system: string): Finding[] =>
  phases.flatMap((phase) =>
    [phase, ...phase.tasks].flatMap(({ title, state, check }) => {
      const file = title.source?.file
      if (!check || state.value !== 'done' || !isCheckFailure(check) || file === undefined) return []
      const what = `“${title.value ?? ''}”: ${checkText(check)}: ${check.command}`
      return [fileFinding(file, `${system}/check`, 'error', what, 'a check that Bridgedeck ran and that passed')]
    }),
  )
