import { Radar } from 'lucide-react'
import { useEffect, useState, type SubmitEvent } from 'react'
import { toFailure, describeFailure } from '@shared/contract/errors'
import { canonicalMachineName, machineNamesHint, parseMachineName } from '@shared/contract/machineName'
import type { MachineKind } from '@shared/contract/machineKinds'
import { useEvent } from '../../client/events'
import { connectNamed } from '../../client/machineControl'
import { useBridge, useFrontName, useMachines } from '../../client/machines'
import { attempt, reportError } from '../../client/messages'
import type { ViewProps } from '../../client/view'
import { Button } from '../../widgets/Button'
import { guideOrder, guides, GuideText } from './guides'
import { MachineDetail } from './MachineDetail'
import { PortDetail } from './PortDetail'
import { RowList } from './RowList'
import { groupRows, rowOfMachine, type Group, type Row } from './rows'
import { receiveConnections, receiveSelfTest, refreshConnections, searchNetwork, useConnections } from './store'
import './connections.css'

/** How often the list is read while it can be seen, ms: a board that is plugged in shows within it. */
const REFRESH_INTERVAL_MS = 3_000

/** What stands on the right: a row of the list, or a kind's guide. Null: the machine in front. */
type Choice = { readonly row: string } | { readonly guide: MachineKind } | null

/** Every way to a machine, what each is and does, and how hardware is connected. */
export function ConnectionsView({ visible }: ViewProps) {
  const connections = useConnections((state) => state.connections)
  const machines = useMachines((state) => state.machines)
  const front = useFrontName()
  const bridge = useBridge()
  const [choice, setChoice] = useState<Choice>(null)
  useEvent('connections.changed', receiveConnections)
  useEvent('connections.selfTest', receiveSelfTest)
  useListening(visible && bridge.state === 'ready')

  if (connections === null) {
    return (
      <div className="empty" role="status">
        <p>Waiting for the bridge to start…</p>
      </div>
    )
  }
  const groups = groupRows(machines, connections)
  const chosen = chosenOf(groups, choice, front)
  return (
    <>
      <div className="toolbar connections-tools">
        <QuickConnect onConnecting={(machine) => setChoice({ row: machine })} />
        <Button
          label={connections.network.searching ? 'Searching…' : 'Search the network'}
          icon={Radar}
          why={connections.network.searching ? 'Already searching.' : null}
          onClick={() => attempt(searchNetwork)}
        />
      </div>
      <div className="view-content connections">
        <div className="connections-list">
          <RowList
            groups={groups}
            chosen={chosen?.key ?? null}
            front={front}
            onChoose={({ key }) => setChoice({ row: key })}
          />
          <GuideList
            chosen={choice !== null && 'guide' in choice ? choice.guide : null}
            onChoose={(guide) => setChoice({ guide })}
          />
        </div>
        <div className="connections-detail" role="region" aria-label="Details" tabIndex={0}>
          {choice !== null && 'guide' in choice ? (
            <GuideText kind={choice.guide} />
          ) : (
            <RowDetail key={chosen?.key} row={chosen} />
          )}
        </div>
      </div>
    </>
  )
}

/** While the view can be seen the list is read again and again; the network is searched when it is opened. */
function useListening(listening: boolean): void {
  useEffect(() => {
    if (!listening) return undefined
    searchNetwork().catch(reportError)
    // What goes wrong in between stands in the list itself, or in the bridge's banner.
    const timer = setInterval(() => void refreshConnections().catch(() => undefined), REFRESH_INTERVAL_MS)
    return () => clearInterval(timer)
  }, [listening])
}

function chosenOf(groups: readonly Group[], choice: Choice, front: string): Row | undefined {
  if (choice !== null && 'guide' in choice) return undefined
  const rows = groups.flatMap((group) => group.rows)
  return rows.find(({ key }) => key === choice?.row) ?? rowOfMachine(groups, front) ?? rows[0]
}

function RowDetail({ row }: { readonly row: Row | undefined }) {
  if (row?.port) return <PortDetail port={row.port} />
  return row === undefined || row.machine === null ? null : <MachineDetail row={row} machine={row.machine} />
}

/** Connects what is typed: any machine by its name. */
function QuickConnect({ onConnecting }: { readonly onConnecting: (machine: string) => void }) {
  const [typed, setTyped] = useState('')
  const [problem, setProblem] = useState<string | null>(null)
  const [connecting, setConnecting] = useState(false)

  const submit = async (event: SubmitEvent) => {
    event.preventDefault()
    if (connecting) return
    setProblem(null)
    setConnecting(true)
    try {
      const machine = canonicalMachineName(parseMachineName(typed.trim()))
      onConnecting(machine)
      await connectNamed(machine)
      setTyped('')
    } catch (error) {
      const failure = toFailure(error)
      if (failure.code !== 'CANCELLED') setProblem(describeFailure(failure))
    } finally {
      setConnecting(false)
    }
  }

  return (
    <form className="quick-connect" onSubmit={(event) => void submit(event)}>
      <label htmlFor="quick-connect">Connect</label>
      <input
        id="quick-connect"
        className="field data"
        data-panel-focus
        value={typed}
        placeholder="ultimate:c64u"
        title={machineNamesHint}
        spellCheck={false}
        autoComplete="off"
        aria-invalid={problem !== null}
        aria-describedby={problem === null ? undefined : 'quick-connect-problem'}
        onChange={({ target }) => setTyped(target.value)}
      />
      <button type="submit" className="button primary" aria-disabled={connecting}>
        {connecting ? 'Connecting…' : 'Connect'}
      </button>
      {problem === null ? null : (
        <p id="quick-connect-problem" className="problem" role="alert">
          {problem}
        </p>
      )}
    </form>
  )
}

function GuideList({
  chosen,
  onChoose,
}: {
  readonly chosen: MachineKind | null
  readonly onChoose: (kind: MachineKind) => void
}) {
  return (
    <section className="connection-group" aria-label="How to connect">
      <h2>How to connect</h2>
      <ul>
        {guideOrder.map((kind) => (
          <li key={kind}>
            <button
              type="button"
              className="connection-row"
              aria-current={kind === chosen}
              onClick={() => onChoose(kind)}
            >
              <span className="row-title">{guides[kind].title}</span>
            </button>
          </li>
        ))}
      </ul>
    </section>
  )
}
