import { Radar } from 'lucide-react'
import { useState } from 'react'
import type { MachineKind } from '@shared/contract/machineKinds'
import { perform } from '../../client/actions'
import { useEvent } from '../../client/events'
import { useBridge, useFrontName, useMachines } from '../../client/machines'
import type { ViewProps } from '../../client/view'
import { Button } from '../../widgets/Button'
import { AddressForm } from './AddressForm'
import { guideOrder, guides, GuideText } from './guides'
import { MachineDetail } from './MachineDetail'
import { PortDetail } from './PortDetail'
import { RowList } from './RowList'
import { useRecentOffers } from './recentOffers'
import { groupRows, rowOfMachine, type Group, type Row } from './rows'
import { receiveSelfTest, useConnections } from './store'
import { useConnectionList } from './useConnectionList'
import './connections.css'

/** A row of the list, or a kind's guide; null: the machine in front. */
type Choice = { readonly row: string } | { readonly guide: MachineKind } | null

export function ConnectionsView({ visible }: ViewProps) {
  const connections = useConnections((state) => state.connections)
  const machines = useMachines((state) => state.machines)
  const front = useFrontName()
  const bridge = useBridge()
  const [choice, setChoice] = useState<Choice>(null)
  useEvent('connections.selfTest', receiveSelfTest)
  useConnectionList(visible && bridge.state === 'ready')

  const recent = useRecentOffers()
  const groups = groupRows(machines, connections, { recent })
  const chosen = chosenOf(groups, choice, front)
  return (
    <>
      <div className="toolbar connections-tools">
        <AddressForm id="quick-connect" isPanelFocus onConnecting={(machine) => setChoice({ row: machine })} />
        <Button
          label="Search the network"
          icon={Radar}
          why={connections?.network.searching === false ? null : 'Already searching.'}
          onClick={() => perform('connections.search')}
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

function chosenOf(groups: readonly Group[], choice: Choice, front: string): Row | undefined {
  if (choice !== null && 'guide' in choice) return undefined
  const rows = groups.flatMap((group) => group.rows)
  return rows.find(({ key }) => key === choice?.row) ?? rowOfMachine(groups, front) ?? rows[0]
}

function RowDetail({ row }: { readonly row: Row | undefined }) {
  if (row?.port) return <PortDetail port={row.port} />
  return row === undefined || row.machine === null ? null : <MachineDetail row={row} machine={row.machine} />
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
