import { Fragment, useEffect, useRef, useState } from 'react'
import type { Register } from '@shared/contract/memory'
import { toFailure } from '@shared/contract/errors'
import { openByteMenu, runToHere } from '../../client/byteMenu'
import { call } from '../../client/call'
import { frames, useFrameSummary, useFrameWish } from '../../frames/frames'
import { useNames } from '../../client/labels'
import { canBeFollowed, useFrontMachine, useFrontName, useLack, useLimit } from '../../client/machines'
import { attempt } from '../../client/messages'
import { perform } from '../../client/actions'
import { requireLive, usePlayback } from '../../frames/playback'
import { useShortcuts } from '../../client/shortcuts'
import { Button } from '../../widgets/Button'
import { visibleText } from '../../widgets/visibleText'
import { showInMemory } from '../../client/memoryCursor'
import { SlowMotion } from './SlowMotion'
import { TimeSlider } from './TimeSlider'
import { codeAround, flagsOf, isEditable, parseRegister, registerText, registerTitle } from './cpu'

/** As many can be read above the line that runs next, without scrolling. */
const LINES_ABOVE = 4

/** The CPU's registers, which can be edited while it is paused, and the code that it runs next. */
export function Cpu({ visible }: { readonly visible: boolean }) {
  useFrameSummary()
  const state = useFrontMachine()
  const machine = useFrontName()
  const lack = useLack('registers')
  const limit = useLimit('setRegisters')
  const paused = state?.execution === 'paused' || state?.execution === 'jammed'
  const registers = frames.registers
  const isFollowed = canBeFollowed(state)
  const changed = useChanged(registers, isFollowed)

  const set = (name: string, value: number) =>
    attempt(async () => {
      requireLive()
      await call('memory.setRegister', { machine, name, value })
    })
  const isRecorded = usePlayback(({ shown }) => shown !== null)
  const flags = registers.find(({ name }) => name === 'FL')
  const pc = registers.find(({ name }) => name === 'PC')

  if (registers.length === 0)
    return (
      <p className="register-note">
        {lack ?? (isRecorded ? 'The recording holds no registers.' : 'Waiting for the first frame…')}
      </p>
    )
  return (
    <>
      <div className="cpu-registers data">
        {registers.map((register) => (
          <div
            key={register.name}
            className={changed.has(register.name) ? 'cpu-register changed' : 'cpu-register'}
            data-wide={register.bits > 8}
          >
            <span className="muted" title={registerTitle(register.name)}>
              {register.name}
            </span>
            {paused && limit === null && isEditable(register.name) ? (
              <RegisterInput register={register} onChange={(value) => set(register.name, value)} />
            ) : (
              <span>{registerText(register)}</span>
            )}
          </div>
        ))}
        {flags === undefined ? null : (
          <div className="cpu-flags" role="group" aria-label="Flags">
            {flagsOf(flags.value).map(({ letter, bit, isSet }) => (
              <button
                key={bit}
                type="button"
                className={isSet ? 'set' : ''}
                aria-pressed={isSet}
                aria-disabled={!paused || limit !== null || bit === 5}
                aria-label={`Flag ${letter === '-' ? 'unused' : letter}`}
                onClick={() => {
                  if (paused && limit === null && bit !== 5) set('FL', flags.value ^ (1 << bit))
                }}
              >
                {letter}
              </button>
            ))}
          </div>
        )}
      </div>
      <div className="code-room">
        {isFollowed && state?.past ? <TimeSlider machine={machine} past={state.past} /> : null}
        {isFollowed && pc ? (
          <Code visible={visible} pc={pc.value} by={state?.stop?.by?.address ?? null} />
        ) : (
          <Running />
        )}
      </div>
    </>
  )
}

function Running() {
  const limit = useLimit('pause')
  const shortcutOf = useShortcuts()
  return (
    <p className="register-note">
      {limit ?? 'Pause to see the code at the PC, to step and to change registers.'}
      {limit === null ? (
        <Button label="Pause" shortcut={shortcutOf('machine.pause')} onClick={() => perform('machine.pause')} />
      ) : null}
    </p>
  )
}

/** The names of the registers that the last step changed; none while the machine runs at its own speed, where nearly all change. */
function useChanged(registers: readonly Register[], isFollowed: boolean): ReadonlySet<string> {
  const [seen, setSeen] = useState({ registers, changed: new Set<string>() })
  if (registers !== seen.registers) {
    const differs = ({ name, value }: Register) =>
      seen.registers.find((before) => before.name === name)?.value !== value
    const names = registers.filter(differs).map(({ name }) => name)
    // A paused machine may be sampled again without having moved: its last step stays marked.
    setSeen({ registers, changed: names.length === 0 ? seen.changed : new Set(names) })
  }
  return isFollowed ? seen.changed : new Set()
}

interface RegisterInputProps {
  readonly register: Register
  readonly onChange: (value: number) => void
}

/** Enter takes the value, Escape drops it; what is wrong stays typed, with the reason. */
function RegisterInput({ register, onChange }: RegisterInputProps) {
  const shown = registerText(register).slice(1)
  const [text, setText] = useState<string | null>(null)
  const [problem, setProblem] = useState<string | null>(null)

  const drop = () => {
    setText(null)
    setProblem(null)
  }
  const take = () => {
    if (text === null) return
    try {
      onChange(parseRegister(text, register))
      drop()
    } catch (error) {
      const { message, hint } = toFailure(error)
      setProblem([message, hint ?? ''].join(' ').trim())
    }
  }

  return (
    <>
      <input
        className="field data"
        value={text ?? shown}
        aria-label={registerTitle(register.name)}
        aria-invalid={problem !== null}
        title={problem ?? undefined}
        spellCheck={false}
        onChange={(event) => {
          setText(event.target.value)
          setProblem(null)
        }}
        onFocus={(event) => event.target.select()}
        onKeyDown={(event) => {
          if (event.key === 'Enter') take()
          if (event.key === 'Escape') drop()
        }}
      />
      {problem === null ? null : (
        <span className="register-problem" role="alert">
          {problem}
        </span>
      )}
    </>
  )
}

function Code({ visible, pc, by }: { readonly visible: boolean; readonly pc: number; readonly by: number | null }) {
  useFrameWish(visible, ['cpu'])
  const memory = frames.image('cpu')
  const names = useNames()
  const seen = useSeen(pc, by)
  const [anchor, setAnchor] = useState<number | null>(null)
  const code = codeAround((address) => memory[address] ?? 0, pc, seen, anchor, names)
  if (code.anchor !== anchor) setAnchor(code.anchor)
  const isKnown = frames.known('cpu')
  const next = useRef<HTMLLIElement>(null)
  const slowLimit = useLimit('slowMotion')
  const shortcutOf = useShortcuts()
  const isSlow = (useFrontMachine()?.slow ?? null) !== null
  useEffect(() => revealLine(next.current), [pc, isKnown, code.anchor])

  if (!isKnown) return null
  return (
    <>
      <div className="code-tools">
        <Button label="Step" shortcut={shortcutOf('machine.step')} onClick={() => perform('machine.step')} />
        <Button
          label="Step over"
          shortcut={shortcutOf('machine.stepOver')}
          onClick={() => perform('machine.stepOver')}
        />
        <Button label="Step out" shortcut={shortcutOf('machine.stepOut')} onClick={() => perform('machine.stepOut')} />
        <Button
          label="Next line"
          shortcut={shortcutOf('machine.runToLine')}
          onClick={() => perform('machine.runToLine')}
        />
        <Button
          label="Next frame"
          shortcut={shortcutOf('machine.runToFrame')}
          onClick={() => perform('machine.runToFrame')}
        />
        <Button
          label="Next IRQ"
          shortcut={shortcutOf('machine.runToIrq')}
          onClick={() => perform('machine.runToIrq')}
        />
        <Button
          label={isSlow ? 'Pause' : 'Resume'}
          shortcut={shortcutOf('machine.pause')}
          onClick={() => perform('machine.pause')}
        />
        {slowLimit === null ? <SlowMotion isSlow={isSlow} /> : null}
      </div>
      <ol className="code data" aria-label="Code at the PC">
        {code.lines.map((line, index) => (
          <Fragment key={index}>
            {line.labels.map((label) => (
              <li key={label} className="code-label">
                {visibleText(label)}:
              </li>
            ))}
            <li
              onContextMenu={(event) =>
                openByteMenu(
                  event,
                  { address: line.address, space: 'cpu', value: line.bytes[0] },
                  { extra: [runToHere(line.address)] },
                )
              }
              ref={line.isNext ? next : undefined}
              className={line.isNext ? 'next' : line.isCertain ? '' : 'guess'}
              title={line.isCertain ? undefined : 'Not seen to run: it may be data, or begin elsewhere'}
              aria-current={line.isNext ? 'step' : undefined}
            >
              <button
                type="button"
                className="code-address"
                title="Show in memory"
                onClick={() => showInMemory(line.address)}
              >
                {line.address.toString(16).toUpperCase().padStart(4, '0')}
              </button>
              <span className="code-bytes">
                {line.bytes.map((byte) => byte.toString(16).toUpperCase().padStart(2, '0')).join(' ')}
              </span>
              <span
                className={line.undocumented ? 'code-text undocumented' : 'code-text'}
                title={line.undocumented ? 'An undocumented instruction' : undefined}
              >
                {visibleText(line.text)}
              </span>
              <span className="code-comment">{visibleText(line.comment)}</span>
            </li>
          </Fragment>
        ))}
      </ol>
    </>
  )
}

/** Where the CPU was seen at the beginning of an instruction since it paused. */
function useSeen(pc: number, by: number | null): ReadonlySet<number> {
  const [seen, setSeen] = useState<ReadonlySet<number>>(new Set())
  const isNew = (address: number | null): address is number => address !== null && !seen.has(address)
  const found = [pc, by].filter(isNew)
  if (found.length > 0) setSeen(new Set([...seen, ...found]))
  return seen
}

/** Scrolls the list of a line so that what comes before and after the line can be read too. */
function revealLine(line: HTMLElement | null): void {
  const list = line?.parentElement
  if (!line || !list) return
  const context = LINES_ABOVE * line.offsetHeight
  const top = line.offsetTop - context
  if (top < list.scrollTop || line.offsetTop + line.offsetHeight + context > list.scrollTop + list.clientHeight)
    list.scrollTop = top
  list.scrollIntoView({ block: 'nearest' })
}
