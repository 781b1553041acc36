import { CircleHelp, Eye, Plug, Radar, Unplug, X } from 'lucide-react'
import { Dialog } from 'radix-ui'
import { useState } from 'react'
import { isMachineKind, type MachineKind } from '@shared/contract/machineKinds'
import { connectNamed, disconnectMachine, showMachine } from '../../client/machineControl'
import { describeState, describeTrouble } from '../../client/machineLabels'
import { isConnected, useBridge, useFrontName, useMachines } from '../../client/machines'
import { attempt } from '../../client/messages'
import { Button } from '../../widgets/Button'
import { AddressForm } from './AddressForm'
import { guideOrder, guides, GuideText } from './guides'
import { titleOf, useRecentOffers } from './recentOffers'
import { groupRows, type Group, type Row } from './rows'
import { searchNetwork, useConnections } from './store'
import { useConnectionList } from './useConnectionList'
import './connectDialog.css'

const ADDRESS_FIELD = 'connect-address'

interface ConnectDialogProps {
  readonly isOpen: boolean
  readonly onClose: () => void
  readonly onDone: () => void
}

export function ConnectDialog({ isOpen, onClose, onDone }: ConnectDialogProps) {
  return (
    <Dialog.Root open={isOpen} onOpenChange={onClose}>
      <Dialog.Portal>
        <Dialog.Overlay className="scrim" />
        <Dialog.Content className="dialog connect-dialog" aria-describedby={undefined} onOpenAutoFocus={focusAddress}>
          <Contents onClose={onClose} onDone={onDone} />
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  )
}

function focusAddress(event: Event): void {
  event.preventDefault()
  document.getElementById(ADDRESS_FIELD)?.focus()
}

/** Always offered: a VICE that was started with its binary monitor on. */
const usual = [{ machine: 'vice:6502', title: 'VICE that is running' }]

function Contents({ onClose, onDone }: Omit<ConnectDialogProps, 'isOpen'>) {
  const connections = useConnections((state) => state.connections)
  const machines = useMachines((state) => state.machines)
  const recent = useRecentOffers()
  const [guide, setGuide] = useState<MachineKind | null>(null)
  const bridge = useBridge()
  useConnectionList(bridge.state === 'ready')
  return (
    <>
      <header className="connect-head">
        <Dialog.Title>Connect</Dialog.Title>
        <Button
          label="How?"
          icon={CircleHelp}
          pressed={guide !== null}
          onClick={() => setGuide(guide === null ? guideOrder[0] : null)}
        />
        <Button
          label="Search the network"
          icon={Radar}
          why={connections?.network.searching === false ? null : 'Already searching.'}
          onClick={() => attempt(searchNetwork)}
        />
        <Button label="Close" icon={X} iconOnly look="plain" shortcut="Esc" onClick={onClose} />
      </header>
      <AddressForm id={ADDRESS_FIELD} onConnected={onDone} />
      <div className="connect-body" data-guide={guide !== null}>
        <div className="connect-list" role="region" aria-label="Machines and ports" tabIndex={0}>
          {groupRows(machines, connections, { recent, usual }).map((group) => (
            <RowGroup key={group.title} group={group} onDone={onDone} />
          ))}
        </div>
        {guide === null ? null : <Guide kind={guide} onChoose={setGuide} />}
      </div>
    </>
  )
}

function RowGroup({
  group: { title, rows, empty, problems },
  onDone,
}: {
  readonly group: Group
  readonly onDone: () => void
}) {
  return (
    <section aria-label={title}>
      <h2>{title}</h2>
      {problems.map((problem) => (
        <p key={problem} className="problem">
          {problem}
        </p>
      ))}
      {rows.length === 0 && empty !== null ? <p className="muted">{empty}</p> : null}
      <ul>
        {rows.map((row) => (
          <li key={row.key} className="connect-row">
            <span className="connect-title">
              <strong>{row.title}</strong>
              {row.name === row.title ? null : <span className="data muted"> {row.name}</span>}
            </span>
            <span className="muted connect-about">{row.about}</span>
            {row.port ? (
              <PortChoice machines={row.port.machines} onDone={onDone} />
            ) : (
              <MachineAction row={row} onDone={onDone} />
            )}
            <span className="machine-trouble">{row.state ? describeTrouble(row.state) : null}</span>
          </li>
        ))}
      </ul>
    </section>
  )
}

/** Leaves the machine that runs in front until the other one is live. */
const connectAndShow = (machine: string, onDone: () => void) =>
  attempt(async () => {
    await connectNamed(machine)
    onDone()
  })

function MachineAction({ row: { machine, state, title }, onDone }: { readonly row: Row; readonly onDone: () => void }) {
  const bridge = useBridge()
  const front = useFrontName()
  if (machine === null) return null
  const { word, tone } = describeState(state ?? undefined, bridge)
  const isFront = machine === front
  return (
    <>
      <span className={`state-words ${tone}`}>
        <span className="dot" aria-hidden />
        {isFront && isConnected(state ?? undefined) ? `${word}, in front` : word}
      </span>
      {state && (state.connection === 'connecting' || state.retry !== null) ? (
        <Button label={`Stop trying ${title}`} icon={X} onClick={() => attempt(() => disconnectMachine(machine))} />
      ) : !isConnected(state ?? undefined) ? (
        <Button label="Connect" icon={Plug} onClick={() => connectAndShow(machine, onDone)} />
      ) : isFront ? (
        <Button label="Disconnect" icon={Unplug} onClick={() => attempt(() => disconnectMachine(machine))} />
      ) : (
        <Button
          label="Show"
          icon={Eye}
          onClick={() => {
            showMachine(machine)
            onDone()
          }}
        />
      )}
    </>
  )
}

function PortChoice({ machines, onDone }: { readonly machines: readonly string[]; readonly onDone: () => void }) {
  const [chosen, setChosen] = useState(machines[0])
  if (chosen === undefined) return null
  return (
    <>
      <select
        className="field"
        aria-label="Connect as"
        value={chosen}
        onChange={({ target }) => setChosen(target.value)}
      >
        {machines.map((machine) => (
          <option key={machine} value={machine}>
            {titleOf(machine)}
          </option>
        ))}
      </select>
      <Button label="Connect" icon={Plug} onClick={() => connectAndShow(chosen, onDone)} />
    </>
  )
}

function Guide({ kind, onChoose }: { readonly kind: MachineKind; readonly onChoose: (kind: MachineKind) => void }) {
  return (
    <div className="connect-guide" role="region" aria-label="How to connect" tabIndex={0}>
      <select
        className="field"
        aria-label="Kind of machine"
        value={kind}
        onChange={({ target: { value } }) => isMachineKind(value) && onChoose(value)}
      >
        {guideOrder.map((each) => (
          <option key={each} value={each}>
            {guides[each].title}
          </option>
        ))}
      </select>
      <GuideText kind={kind} />
    </div>
  )
}
