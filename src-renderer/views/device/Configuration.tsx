import { RefreshCw } from 'lucide-react'
import { useState, type KeyboardEvent } from 'react'
import { describeFailure } from '@shared/contract/errors'
import type { MachineState } from '@shared/contract/machine'
import type { ConfigurationItem } from '@shared/contract/machineStorage'
import { call } from '../../client/call'
import { limitOf } from '../../client/machines'
import { useViewState } from '../../client/viewState'
import { Button } from '../../widgets/Button'
import { Field } from '../../widgets/form/Field'
import { textOf, type FieldDescription } from '../../widgets/form/fields'
import { IconButton } from '../../widgets/IconButton'
import { settleDraft, useDraft } from './drafts'
import { Part } from './Part'
import { Problem } from '../../widgets/Problem'
import { describeRange, parseSetting } from './settingText'
import { useAnswer } from '../../client/useAnswer'
import { useTask } from './useTask'

const readCategory = (stored: unknown): string | null => (typeof stored === 'string' ? stored : null)

export function Configuration({ state, visible }: { readonly state: MachineState; readonly visible: boolean }) {
  const { machine } = state
  const limit = limitOf(state, 'configuration')
  const [wanted, setWanted] = useViewState('device.category', readCategory)
  const [round, setRound] = useState(0)
  const { data, failure, isFirst, again } = useAnswer(machine, visible && limit === null, (signal) =>
    call('machine.configurationCategories', { machine }, { signal }),
  )
  if (limit !== null) {
    return (
      <Part title="Configuration">
        <p className="muted">{limit}</p>
      </Part>
    )
  }
  const readAgain = () => {
    again()
    setRound(round + 1)
  }
  const categories = data?.categories ?? []
  const category = categories.find((name) => name === wanted) ?? categories[0]
  return (
    <Part
      title="Configuration"
      tools={<IconButton label="Read the configuration again" icon={RefreshCw} look="plain" onClick={readAgain} />}
    >
      <p className="muted">Changes apply at once, and are lost at power-off unless saved in the machine’s own menu.</p>
      <Problem failure={failure} />
      {isFirst ? <p className="muted">Loading the configuration…</p> : null}
      {data && category === undefined ? <p className="muted">The machine lists no configuration.</p> : null}
      {data && category !== undefined ? (
        <div className="configuration">
          <ul className="configuration-categories" aria-label="Categories">
            {categories.map((name) => (
              <li key={name}>
                <button
                  type="button"
                  className="button plain"
                  aria-current={name === category ? 'true' : undefined}
                  onClick={() => setWanted(name)}
                >
                  {name}
                </button>
              </li>
            ))}
          </ul>
          <Category key={`${machine} ${category} ${round}`} machine={machine} category={category} visible={visible} />
        </div>
      ) : null}
    </Part>
  )
}

interface CategoryProps {
  readonly machine: string
  readonly category: string
  readonly visible: boolean
}

function Category({ machine, category, visible }: CategoryProps) {
  const read = (signal?: AbortSignal) => call('machine.configuration', { machine, category }, signal ? { signal } : {})
  const { data, failure, isFirst, replace } = useAnswer(`${machine} ${category}`, visible, read)
  const readBack = async (name: string) => {
    const answer = await read()
    replace(answer)
    return answer.items.find(({ item }) => item === name)
  }
  return (
    <div className="configuration-items" role="group" aria-label={category}>
      <Problem failure={failure} />
      {isFirst ? <p className="muted">Loading {category}…</p> : null}
      {data?.items.length === 0 ? <p className="muted">No settings.</p> : null}
      {data?.items.map((item) => (
        <Item key={item.item} machine={machine} category={category} item={item} readBack={readBack} />
      ))}
    </div>
  )
}

interface ItemProps {
  readonly machine: string
  readonly category: string
  readonly item: ConfigurationItem
  /**
   * Reads the whole category again, as some items change others.
   * @returns the item of that name
   */
  readonly readBack: (name: string) => Promise<ConfigurationItem | undefined>
}

function Item({ machine, category, item, readBack }: ItemProps) {
  const key = `${machine} ${category} ${item.item}`
  const [draft, setDraft] = useDraft(key)
  const [problem, setProblem] = useState<string | null>(null)
  const [note, setNote] = useState<string | null>(null)
  const { isBusy, failure, run, forget } = useTask()
  const stored = String(item.value)
  const text = draft ?? stored

  const type = (typed: string | undefined) => {
    setDraft(typed)
    setProblem(null)
    setNote(null)
    forget()
  }
  const send = (typed: string) => {
    if (typed === stored) {
      type(undefined)
      return
    }
    const parsed = parseSetting(item, typed)
    if ('problem' in parsed) {
      setProblem(parsed.problem)
      return
    }
    run(async () => {
      await call('machine.setConfiguration', { machine, category, item: item.item, value: parsed.value })
      const now = await readBack(item.item)
      settleDraft(key, typed)
      if (now && now.value !== parsed.value) setNote(`The machine changed it to “${now.value}”.`)
    })
  }
  const onKey = (event: KeyboardEvent) => {
    if (event.key === 'Enter') send(text)
    if (event.key === 'Escape' && draft !== undefined) {
      event.stopPropagation()
      type(undefined)
    }
  }
  // A value that the machine refused is not sent again when the field is left.
  const onLeave = () => {
    if (draft !== undefined && failure === null) send(draft)
  }

  const isTyped = item.choices === null
  const error = problem ?? (failure === null ? null : describeFailure(failure))
  const idle = draft === undefined ? describeRange(item) : 'Not sent: Enter sends it, Escape puts back the old value.'
  const putBack =
    error !== null && !isTyped ? (
      <Button label="Put back" tip={`The machine has “${stored}”.`} onClick={() => type(undefined)} />
    ) : null
  return (
    <div
      className="configuration-item"
      aria-busy={isBusy}
      onKeyDown={isTyped ? onKey : undefined}
      onBlur={isTyped ? onLeave : undefined}
    >
      <Field
        field={{
          ...describeItem(item, text),
          hints: [
            {
              text: (
                <>
                  {putBack} {isBusy ? 'Sending…' : (note ?? idle)}
                </>
              ),
            },
          ],
        }}
        value={text}
        problem={error}
        onChange={(value) => {
          type(textOf(value))
          if (!isTyped) send(textOf(value))
        }}
      />
    </div>
  )
}

const MAX_SETTING_CHARACTERS = 1_000

/** A value that is none of its choices is offered too. */
function describeItem({ item, value, choices }: ConfigurationItem, text: string): FieldDescription {
  const common = { name: item, label: item }
  if (choices !== null) {
    const others = new Set([String(value), text].filter((known) => !choices.includes(known)))
    const options = [...others, ...choices].map((choice) => ({
      value: choice,
      label: choice === '' ? '(none)' : choice,
    }))
    return { ...common, kind: 'select', options }
  }
  return {
    ...common,
    kind: 'text',
    isSecret: /password/i.test(item),
    maxLength: MAX_SETTING_CHARACTERS,
    ...(typeof value === 'number' ? { inputMode: 'numeric' } : {}),
  }
}
