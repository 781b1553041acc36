import { Check, CircleDashed, Eye, FlaskConical, Minus, Plug, Square, Unplug, X, type LucideIcon } from 'lucide-react'
import { useId, useState, type SubmitEvent } from 'react'
import type { SelfTestStep } from '@shared/contract/connections'
import { readMachineName } from '@shared/contract/machineName'
import { call } from '../../client/call'
import { connectNamed, disconnectMachine, showMachine } from '../../client/machineControl'
import { isConnected, useBridge, useFrontName } from '../../client/machines'
import { attempt, notify } from '../../client/messages'
import { forgetRecentMachine, useRecentMachines } from '../../client/recentMachines'
import { describeRetry, describeState } from '../../client/machineLabels'
import { Button } from '../../widgets/Button'
import { GuideText } from './guides'
import type { Row } from './rows'
import { startSelfTest, stopSelfTest, useConnections } from './store'

export function MachineDetail({ row, machine }: { readonly row: Row; readonly machine: string }) {
  const { title, about, state, profile } = row
  const bridge = useBridge()
  const kind = readMachineName(machine)?.kind
  const { word, tone } = describeState(state ?? undefined, bridge)
  const why = [state?.reason, state && describeRetry(state), state?.hint].filter(Boolean).join(' ')
  return (
    <>
      <h2 className="detail-title">
        {title} {title === machine ? null : <span className="data muted">{machine}</span>}
        <span className={`state-words ${tone}`}>
          <span className="dot" aria-hidden />
          {word}
        </span>
      </h2>
      {about === '' ? null : <p className="muted">{about}</p>}
      {why === '' ? null : <p className={tone === 'bad' ? 'problem' : undefined}>{why}</p>}
      <Actions row={row} machine={machine} />
      <SelfTest machine={machine} />
      {kind === 'builtin' || machine === 'vice' ? null : (
        <Keep key={`${machine} ${profile?.title ?? ''}`} row={row} machine={machine} />
      )}
      {kind === undefined ? null : <GuideText kind={kind} />}
    </>
  )
}

function Actions({ row: { state }, machine }: { readonly row: Row; readonly machine: string }) {
  const front = useFrontName()
  const connected = isConnected(state ?? undefined)
  const engaged =
    connected || state?.connection === 'connecting' || (state?.connection === 'lost' && state.reason !== null)
  return (
    <div className="detail-buttons">
      {connected ? null : (
        <Button
          label="Connect"
          icon={Plug}
          look="primary"
          why={state?.connection === 'connecting' ? 'Already connecting.' : null}
          onClick={() => attempt(() => connectNamed(machine))}
        />
      )}
      {engaged ? (
        <Button
          label="Bring to the front"
          icon={Eye}
          why={machine === front ? 'Already in front: the other views show it.' : null}
          onClick={() => showMachine(machine)}
        />
      ) : null}
      {engaged ? (
        <Button label="Disconnect" icon={Unplug} onClick={() => attempt(() => disconnectMachine(machine))} />
      ) : null}
    </div>
  )
}

const outcomes: Readonly<Record<SelfTestStep['outcome'], { readonly icon: LucideIcon; readonly word: string }>> = {
  running: { icon: CircleDashed, word: 'running' },
  ok: { icon: Check, word: 'ok' },
  failed: { icon: X, word: 'failed' },
  skipped: { icon: Minus, word: 'not tried' },
}

function SelfTest({ machine }: { readonly machine: string }) {
  const test = useConnections(({ selfTests }) => selfTests[machine])
  const id = useId()
  return (
    <section aria-labelledby={id} className="self-test">
      <h3 id={id}>
        Self-test
        {test?.running === true ? (
          <Button label="Stop" icon={Square} onClick={() => stopSelfTest(machine)} />
        ) : (
          <Button
            label={test === undefined ? 'Test this machine' : 'Test again'}
            tip="Connects, reads a little memory and tries the streams. Writes nothing, and leaves the connection as it was."
            icon={FlaskConical}
            onClick={() => attempt(() => startSelfTest(machine))}
          />
        )}
      </h3>
      <div role="status">
        <ol>
          {(test?.steps ?? []).map(({ title, outcome, text }) => {
            const { icon: Icon, word } = outcomes[outcome]
            return (
              <li key={title} className={outcome}>
                <Icon size={14} strokeWidth={2} aria-hidden />
                <span>{title}</span>
                <span>
                  <span className="outcome">{word}</span> {text}
                </span>
              </li>
            )
          })}
        </ol>
      </div>
    </section>
  )
}

function Keep({ row: { title, profile, state }, machine }: { readonly row: Row; readonly machine: string }) {
  const [typed, setTyped] = useState(profile?.title ?? title)
  const id = useId()
  const isRecent = useRecentMachines().includes(machine) && state === null
  const name = typed.trim()
  const unchanged = name === profile?.title
  const limit = name === '' ? 'Enter a title.' : unchanged ? 'Already saved under this title.' : null
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    if (limit !== null) return
    attempt(async () => {
      await call('connections.save', { machine, title: name })
      notify(profile === null ? `${name} is kept.` : `${profile.title} is now called ${name}.`)
    })
  }
  return (
    <form className="keep" onSubmit={submit}>
      <label htmlFor={id}>{profile === null ? 'Keep it as' : 'Kept as'}</label>
      <input
        id={id}
        className="field"
        value={typed}
        maxLength={100}
        onChange={({ target }) => setTyped(target.value)}
      />
      <button type="submit" className="button" aria-disabled={limit !== null} title={limit ?? undefined}>
        {profile === null ? 'Keep' : 'Rename'}
      </button>
      {profile?.hasPassword ? (
        <Button
          label="Forget the password"
          onClick={() =>
            attempt(async () => {
              await call('connections.forgetPassword', { machine })
              notify(`The password of ${profile.title} is forgotten.`)
            })
          }
        />
      ) : null}
      {profile === null && !isRecent ? null : (
        <Button
          label="Forget"
          tip={profile?.hasPassword ? 'Drops it from the list, with its password.' : 'Drops it from the list.'}
          onClick={() =>
            attempt(async () => {
              if (profile !== null) {
                await call('connections.forget', { machine })
                notify(`${profile.title} is no longer kept.`)
              }
              forgetRecentMachine(machine)
            })
          }
        />
      )}
    </form>
  )
}
