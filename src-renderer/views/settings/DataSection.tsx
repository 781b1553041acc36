import { dataParts, type DataPart, type DataSizes } from '@shared/contract/data'
import { sizeText } from '@shared/sizeText'
import { call } from '../../client/call'
import { attempt, notify } from '../../client/messages'
import { useAnswer } from '../../client/useAnswer'
import { Button } from '../../widgets/Button'
import { Problem } from '../../widgets/Problem'
import { backUp, useBackingUp } from './backingUp'
import { Row, Section } from './parts'

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
  const folder = data?.folder ?? ''
  return (
    <Row
      row="dataFolder"
      about="Settings, saved machines, and what Bridgedeck knows of your projects. BRIDGEDECK_DATA moves it."
    >
      <span className="settings-path data" title={folder}>
        {folder}
      </span>
      <Button
        label="Copy path"
        why={folder === '' ? 'The folder is not known yet.' : null}
        onClick={() => copyPath(folder)}
      />
      <Button label="Show folder" onClick={() => attempt(() => call('data.showFolder', {}))} />
    </Row>
  )
}

const copyPath = (text: string): void =>
  attempt(async () => {
    await call('window.copyText', { text })
    notify('Path copied.')
  })

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
      <Sizes parts={data?.parts ?? []} />
      <Button label="Measure again" why={isFirst ? 'The data is being measured.' : null} onClick={again} />
      <Problem failure={failure} />
    </Row>
  )
}

/** The rows stand from the start, so that nothing moves when their sizes come. */
const Sizes = ({ parts }: { readonly parts: DataSizes['parts'] }) => (
  <dl className="data-sizes" aria-busy={parts.length === 0}>
    {dataParts.map((name) => (
      <Size key={name} title={partTitles[name]} bytes={parts.find(({ part }) => part === name)?.bytes} />
    ))}
    <Size title="Total" bytes={parts.length === 0 ? undefined : parts.reduce((sum, { bytes }) => sum + bytes, 0)} />
  </dl>
)

const Size = ({ title, bytes }: { readonly title: string; readonly bytes: number | undefined }) => (
  <>
    <dt>{title}</dt>
    <dd className="data">{bytes === undefined ? '…' : sizeText(bytes)}</dd>
  </>
)

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
