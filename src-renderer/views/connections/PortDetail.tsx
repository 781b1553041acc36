import { Plug } from 'lucide-react'
import { Fragment } from 'react'
import type { Port } from '@shared/contract/connections'
import { readMachineName } from '@shared/contract/machineName'
import { connectNamed } from '../../client/machineControl'
import { attempt } from '../../client/messages'
import { Button } from '../../widgets/Button'
import { guides, GuideText } from './guides'

export function PortDetail({ port: { device, vendor, product, board, machines } }: { readonly port: Port }) {
  const choices = machines.flatMap((machine) => {
    const kind = readMachineName(machine)?.kind
    return kind === undefined ? [] : [{ machine, kind }]
  })
  const [likeliest] = choices
  return (
    <>
      <h2 className="detail-title">
        {board ?? product ?? device} <span className="data muted">{device}</span>
      </h2>
      <dl className="detail-facts">
        {[
          ['Made by', vendor],
          ['Calls itself', product],
          ['Recognised as', board],
        ].map(([name, value]) => (
          <Fragment key={name}>
            <dt>{name}</dt>
            <dd className={value === null ? 'muted' : undefined}>{value ?? 'unknown'}</dd>
          </Fragment>
        ))}
      </dl>
      <div className="detail-buttons">
        {choices.map(({ machine, kind }, index) => (
          <Button
            key={machine}
            label={`Connect as ${guides[kind].title}`}
            icon={Plug}
            {...(index === 0 && board !== null ? { look: 'primary' } : {})}
            onClick={() => attempt(() => connectNamed(machine))}
          />
        ))}
      </div>
      {board !== null && likeliest ? <GuideText kind={likeliest.kind} /> : null}
    </>
  )
}
