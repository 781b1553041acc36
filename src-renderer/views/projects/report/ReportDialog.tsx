import { Copy, Save } from 'lucide-react'
import { Dialog } from 'radix-ui'
import { useState } from 'react'
import { collectReport } from '@shared/collectReport'
import { localTime } from '@shared/localTime'
import { printReport } from '@shared/report'
import { call } from '../../../client/call'
import { attempt, notify } from '../../../client/messages'
import { notifySaved } from '../../../client/savedFile'
import { useAnswer } from '../../../client/useAnswer'
import { Button } from '../../../widgets/Button'
import { InertMarkdown } from '../../../widgets/InertMarkdown'
import { Segments } from '../../../widgets/Segments'
import { useProjects } from '../store'
import { hideReport, useReport } from './reportStore'
import './report.css'

const HOUR_MS = 3_600_000

const spans = [
  { value: '8', label: '8 hours' },
  { value: '24', label: '24 hours' },
  { value: '168', label: '7 days' },
] as const
type Span = (typeof spans)[number]['value']

/** What agents did while the person was away, as `bridgedeck report` prints it. */
export function ReportDialog() {
  const isShown = useReport((state) => state.isShown)
  return (
    <Dialog.Root open={isShown} onOpenChange={hideReport}>
      <Dialog.Portal>
        <Dialog.Overlay className="scrim" />
        <Dialog.Content className="dialog of-form report-dialog" aria-describedby={undefined}>
          <Dialog.Title>Report on runs</Dialog.Title>
          <ReportText />
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  )
}

function ReportText() {
  const [span, setSpan] = useState<Span>('24')
  const { projects, runs } = useProjects()
  // One that is still being read has no runs to report.
  const states = [...(projects?.values() ?? [])].map(({ state }) => state)
  const version = `${states.join()} ${runs.size}`
  const { data: answer, failure } = useAnswer(span, true, (signal) => reportSince(Number(span), signal), version)
  const notRead = answer === null ? 'Not read yet.' : null
  return (
    <>
      <Segments label="Of the last" value={span} options={spans} onChange={setSpan} />
      <div className="report-text scroll-pane" role="region" aria-label="Report" tabIndex={0}>
        {answer === null ? (
          <p className={failure === null ? 'muted' : 'problem'} role="status">
            {failure?.message ?? 'Reading what agents did…'}
          </p>
        ) : (
          <InertMarkdown text={answer} />
        )}
      </div>
      <div className="prompt-buttons">
        <Button label="Close" onClick={hideReport} />
        <Button
          label="Save as…"
          icon={Save}
          why={notRead}
          onClick={() => {
            if (answer !== null) attempt(() => save(answer))
          }}
        />
        <Button
          label="Copy as Markdown"
          icon={Copy}
          look="primary"
          why={notRead}
          onClick={() => {
            if (answer !== null) attempt(() => copy(answer))
          }}
        />
      </div>
    </>
  )
}

async function copy(text: string): Promise<void> {
  await call('window.copyText', { text })
  notify('Copied the report.')
}

/** The message about it is out of reach behind the dialog. */
async function save(text: string): Promise<void> {
  const { saved } = await call('window.saveText', {
    text: `${text}\n`,
    name: `report-${localTime(Date.now()).slice(0, 10)}.md`,
    format: 'markdown',
  })
  if (saved !== null) hideReport()
  notifySaved(saved)
}

/** Of the projects that are open. */
async function reportSince(hours: number, signal: AbortSignal): Promise<string> {
  const until = Date.now()
  const report = await collectReport({
    ...{ since: until - hours * HOUR_MS, until },
    ask: (name, input) => call(name, input, { signal }),
    inOpen: async (project, work) => (project.state === 'open' ? work() : []),
  })
  return printReport(report)
}
