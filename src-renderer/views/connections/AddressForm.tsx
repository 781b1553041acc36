import { Plug } from 'lucide-react'
import { useEffect, useRef, useState, type SubmitEvent } from 'react'
import type { MachineAtAddress } from '@shared/contract/connections'
import { describeFailure, toFailure, type Failure } from '@shared/contract/errors'
import {
  canonicalMachineName,
  machineNamesHint,
  parseMachineName,
  readPlainAddress,
} from '@shared/contract/machineName'
import { call } from '../../client/call'
import { connectNamed } from '../../client/machineControl'
import { useMachines } from '../../client/machines'
import { describeTrouble } from '../../client/machineLabels'
import { Button } from '../../widgets/Button'
import './shared.css'

interface AddressFormProps {
  readonly id: string
  readonly isPanelFocus?: boolean
  readonly onConnecting?: (machine: string) => void
  readonly onConnected?: () => void
}

export function AddressForm({ id, isPanelFocus, onConnecting, onConnected }: AddressFormProps) {
  const [typed, setTyped] = useState('')
  const { busy, problem, offers, probe, connect } = useConnecting(onConnecting, () => {
    setTyped('')
    onConnected?.()
  })
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    const text = typed.trim()
    if (busy !== null) return
    void (readPlainAddress(text) ? probe(text) : connect(text))
  }
  const told = useUntold(problem)
  const helpId = `${id}-help`
  return (
    <form className="address-form" onSubmit={submit}>
      <label htmlFor={id}>Address or name</label>
      <input
        id={id}
        className="field data"
        data-panel-focus={isPanelFocus}
        value={typed}
        placeholder="192.168.1.64"
        title={machineNamesHint}
        spellCheck={false}
        autoComplete="off"
        aria-invalid={problem !== null}
        aria-describedby={helpId}
        onChange={({ target }) => setTyped(target.value)}
      />
      <button type="submit" className="button primary" aria-disabled={busy !== null}>
        {busy ?? 'Connect'}
      </button>
      <div id={helpId} className="address-answer">
        {told === null ? null : (
          <p className="problem" role="alert">
            {told}
          </p>
        )}
        {offers === null ? null : <Offers offers={offers} onChoose={(machine) => void connect(machine)} />}
      </div>
    </form>
  )
}

const focusWhenShown = (button: HTMLButtonElement | null): void => button?.focus()

function Offers({
  offers,
  onChoose,
}: {
  readonly offers: readonly MachineAtAddress[]
  readonly onChoose: (machine: string) => void
}) {
  if (offers.length === 0)
    return (
      <p className="problem" role="alert">
        No machine answers there. Check the address, and that the machine is on and its network service enabled; How?
        has the steps.
      </p>
    )
  const first = offers.find(({ limit }) => limit === null)
  return (
    <ul className="offers" role="status" aria-label="What answers there">
      {offers.map(({ machine, title, about, asksForPassword, limit }) => (
        <li key={machine}>
          <span>
            <strong>{title}</strong> <span className="data muted">{machine}</span>
          </span>
          <span className="muted">
            {[about === title ? '' : about, asksForPassword ? 'asks for a password' : '', limit]
              .filter(Boolean)
              .join(' · ')}
          </span>
          <Button
            {...(machine === first?.machine ? { ref: focusWhenShown } : {})}
            label="Connect"
            icon={Plug}
            look="primary"
            why={limit}
            onClick={() => onChoose(machine)}
          />
        </li>
      ))}
    </ul>
  )
}

function useConnecting(onConnecting?: (machine: string) => void, onConnected?: () => void) {
  const [problem, setProblem] = useState<Failure | null>(null)
  const [busy, setBusy] = useState<string | null>(null)
  const [offers, setOffers] = useState<readonly MachineAtAddress[] | null>(null)
  const asking = useRef<AbortController>(null)
  // A machine that answers after the form was closed is not connected.
  useEffect(() => () => asking.current?.abort(), [])
  const work = async (label: string, task: () => Promise<void>) => {
    setProblem(null)
    setOffers(null)
    setBusy(label)
    try {
      await task()
    } catch (error) {
      const failure = toFailure(error)
      if (failure.code !== 'CANCELLED') setProblem(failure)
    } finally {
      setBusy(null)
    }
  }
  const connectTo = async (name: string) => {
    setBusy('Connecting…')
    const machine = canonicalMachineName(parseMachineName(name))
    onConnecting?.(machine)
    await connectNamed(machine)
    onConnected?.()
  }
  return {
    problem,
    busy,
    offers,
    probe: (address: string) =>
      work('Asking…', async () => {
        const { signal } = (asking.current = new AbortController())
        const { found } = await call('connections.probe', { address }, { signal })
        if (signal.aborted) return
        const [only] = found
        if (only && found.length === 1 && only.limit === null) await connectTo(only.machine)
        else setOffers(found)
      }),
    connect: (name: string) => work('Connecting…', () => connectTo(name)),
  }
}

/** The row of a machine that is tried again says why: only what to do is still to be said. */
function useUntold(problem: Failure | null): string | null {
  const machines = useMachines((state) => state.machines)
  if (problem === null) return null
  const isTold = machines.some((state) => state.reason === problem.message && describeTrouble(state) !== null)
  return isTold ? (problem.hint ?? null) : describeFailure(problem)
}
