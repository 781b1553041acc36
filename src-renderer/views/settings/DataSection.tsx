import { Fragment } from 'react'
import type { DataPart, DataSizes } from '@shared/contract/data'
import { sizeText } from '@shared/sizeText'
import { call } from '../../client/call'
import { FilePath } from '../../client/FilePath'
import { attempt } from '../../client/messages'
import { useAnswer } from '../../client/useAnswer'
import { Button } from '../../widgets/Button'
import { Problem } from '../../widgets/Problem'
import { backUp, useBackingUp } from './backingUp'
import { Row, Section } from './parts'

/** Where the data lies, how large it is, a backup of it, and a start without it. */
export const DataSection = () => (
  <Section title="Data">
    <FolderRow />
    <SizeRow />
    <BackupRow />
    <Row
      row="dataFresh"
      about="Moves the data folder aside, never deletes it, and restarts with an empty one. Tasks and recordings stay."
    >
      <Button label="Start fresh…" onClick={() => attempt(() => call('data.startFresh', {}))} />
    </Row>
  </Section>
)

function FolderRow() {
  const { data } = useAnswer('place', true, (signal) => call('data.place', {}, { signal }))
  return (
    <Row
      row="dataFolder"
      about="Settings, saved machines, and what Bridgedeck knows of your projects. BRIDGEDECK_DATA moves it."
    >
      {data ? <FilePath path={data.folder} onShow={() => call('data.showFolder', {})} /> : null}
    </Row>
  )
}

const partTitles: Readonly<Record<DataPart, string>> = {
  recordings: 'Recordings',
  tasks: 'Tasks',
  logs: 'Logs',
  cache: 'Caches',
  rest: 'Everything else',
}

function SizeRow() {
  const { data, failure, isFirst, again } = useAnswer('sizes', true, (signal) => call('data.measure', {}, { signal }))
  return (
    <Row row="dataSize">
      {data ? <Sizes sizes={data} /> : null}
      {isFirst ? <span className="muted">Measuring…</span> : <Button label="Measure again" onClick={again} />}
      <Problem failure={failure} />
    </Row>
  )
}

const Sizes = ({ sizes: { parts } }: { readonly sizes: DataSizes }) => (
  <dl className="data-sizes">
    {[...parts.map(({ part, bytes }) => [partTitles[part], bytes] as const), ['Total', total(parts)] as const].map(
      ([title, bytes]) => (
        <Fragment key={title}>
          <dt>{title}</dt>
          <dd className="data">{sizeText(bytes)}</dd>
        </Fragment>
      ),
    )}
  </dl>
)

const total = (parts: DataSizes['parts']): number => parts.reduce((sum, { bytes }) => sum + bytes, 0)

function BackupRow() {
  const backingUp = useBackingUp((state) => state.backingUp)
  const percent = backingUp?.percent ?? null
  return (
    <Row
      row="dataBackup"
      about="One archive with settings, tasks and recordings, and how to restore it. Passwords, tokens, logs and caches are left out."
    >
      <Button label="Back up…" why={backingUp ? 'A backup is being made.' : null} onClick={backUp} />
      {backingUp && percent !== null ? (
        <>
          <progress value={percent} max={100} aria-label="Backup progress" />
          <span className="data">{percent} %</span>
          <Button label="Cancel the backup" onClick={backingUp.cancel} />
        </>
      ) : null}
    </Row>
  )
}
