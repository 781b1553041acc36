import { Plus, X } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { c64KeyTitle, hostKeyTitle } from '@shared/c64/keyboard'
import { c64Keys, joystickInputs } from '@shared/c64/keyboardMatrix'
import type { Settings } from '@shared/contract/settings'
import { changeSettings } from '../../client/settings'
import { Button } from '../../widgets/Button'

export function KeyOverrides({ overrides }: { readonly overrides: Settings['keyOverrides'] }) {
  return (
    <KeyTable
      caption="Exceptions of the keyboard mapping"
      targetTitle="C64 key"
      keys={overrides}
      targets={c64Keys}
      titleOf={c64KeyTitle}
      onChange={(keyOverrides) => changeSettings({ keyOverrides })}
    />
  )
}

export function JoystickKeys({ keys }: { readonly keys: Settings['joystickKeys'] }) {
  return (
    <KeyTable
      caption="Joystick keys"
      targetTitle="Joystick"
      keys={keys}
      targets={joystickInputs}
      titleOf={(input) => input}
      onChange={(joystickKeys) => changeSettings({ joystickKeys })}
    />
  )
}

interface KeyTableProps<Target extends string> {
  readonly caption: string
  readonly targetTitle: string
  /** By the host key's `KeyboardEvent.code`. */
  readonly keys: Readonly<Record<string, Target>>
  readonly targets: readonly [Target, ...Target[]]
  readonly titleOf: (target: Target) => string
  readonly onChange: (keys: Record<string, Target>) => void
}

function KeyTable<Target extends string>({
  caption,
  targetTitle,
  keys,
  targets,
  titleOf,
  onChange,
}: KeyTableProps<Target>) {
  const rows = Object.entries(keys)
  return (
    <div>
      {rows.length === 0 ? null : (
        <table className="key-table">
          <caption className="hidden-visually">{caption}</caption>
          <thead>
            <tr>
              <th scope="col">Your key</th>
              <th scope="col">{targetTitle}</th>
              <th scope="col">
                <span className="hidden-visually">Remove</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {rows.map(([code, target]) => (
              <tr key={code}>
                <td>
                  <kbd>{hostKeyTitle(code)}</kbd>
                </td>
                <td>
                  <select
                    className="field"
                    aria-label={`${hostKeyTitle(code)} is`}
                    value={target}
                    onChange={(event) => {
                      const chosen = targets.find((candidate) => candidate === event.target.value)
                      if (chosen !== undefined) onChange({ ...keys, [code]: chosen })
                    }}
                  >
                    {targets.map((candidate) => (
                      <option key={candidate} value={candidate}>
                        {titleOf(candidate)}
                      </option>
                    ))}
                  </select>
                </td>
                <td>
                  <Button
                    label={`Remove ${hostKeyTitle(code)}`}
                    icon={X}
                    iconOnly
                    look="plain"
                    onClick={() => onChange(Object.fromEntries(rows.filter(([other]) => other !== code)))}
                  />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      <AddKey onKey={(code) => onChange({ ...keys, [code]: keys[code] ?? targets[0] })} />
    </div>
  )
}

function AddKey({ onKey }: { readonly onKey: (code: string) => void }) {
  const [listening, setListening] = useState(false)
  const button = useRef<HTMLButtonElement>(null)
  useEffect(() => {
    if (!listening) return undefined
    const onKeyDown = (event: KeyboardEvent) => {
      event.preventDefault()
      event.stopPropagation()
      setListening(false)
      if (event.code !== 'Escape' && /^[A-Za-z0-9]{1,30}$/.test(event.code)) onKey(event.code)
    }
    const stop = () => setListening(false)
    const element = button.current
    window.addEventListener('keydown', onKeyDown, true)
    element?.addEventListener('blur', stop)
    return () => {
      window.removeEventListener('keydown', onKeyDown, true)
      element?.removeEventListener('blur', stop)
    }
  }, [listening, onKey])
  return (
    <Button
      ref={button}
      label={listening ? 'Press the key, or Escape to leave it' : 'Add a key'}
      icon={Plus}
      pressed={listening}
      onClick={() => setListening(true)}
    />
  )
}
