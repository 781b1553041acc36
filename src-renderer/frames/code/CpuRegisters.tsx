import { useState } from 'react'
import { parseHexValue } from '@shared/c64/address'
import { toFailure } from '@shared/contract/errors'
import type { Register } from '@shared/contract/memory'
import { call } from '../../client/call'
import { canBeFollowed, useFrontMachine, useFrontName, useLimit } from '../../client/machines'
import { attempt } from '../../client/messages'
import { moveAlong } from '../../widgets/moveAlong'
import { frames, useFrameSummary } from '../frames'
import { requireLive } from '../shownMoment'
import { flagsOf, isEditable, registerText, registerTitle } from './cpu'
import './code.css'

export function CpuRegisters({ oneLine = false }: { readonly oneLine?: boolean }) {
  useFrameSummary()
  const state = useFrontMachine()
  const machine = useFrontName()
  const limit = useLimit('setRegisters')
  const registers = frames.registers
  const changed = useChanged(registers, canBeFollowed(state))
  const paused = state?.execution === 'paused' || state?.execution === 'jammed'
  const set = (name: string, value: number) =>
    attempt(async () => {
      requireLive()
      await call('memory.setRegister', { machine, name, value })
    })
  const flags = registers.find(({ name }) => name === 'FL')
  const [focusedFlag, setFocusedFlag] = useState(7)
  const shown = oneLine ? registers.filter((register) => register !== flags) : registers
  return (
    <div className={oneLine ? 'cpu-registers one-line data' : 'cpu-registers data'} role="group" aria-label="CPU">
      {shown.map((register) => (
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
        <div
          className="cpu-flags"
          role="group"
          aria-label="Flags"
          onKeyDown={(event) => moveAlong(event, 'button', 'row')}
        >
          {flagsOf(flags.value).map(({ letter, bit, isSet }) => (
            <button
              key={bit}
              type="button"
              tabIndex={bit === focusedFlag ? 0 : -1}
              onFocus={() => setFocusedFlag(bit)}
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
  )
}

/** None while the machine runs at its own speed, where nearly all registers change. */
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
      onChange(parseHexValue(text, register))
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
