import { TriangleAlert } from 'lucide-react'
import { Button } from '../widgets/Button'
import { perform } from '../client/actions'
import { useBridge } from '../client/machines'
import { openAnyway, useQuarantine } from '../client/quarantine'
import { visibleText } from '../widgets/visibleText'
import { Strip } from './Strip'

export function Banners() {
  return (
    <>
      <BridgeBanner />
      <QuarantineBanners />
    </>
  )
}

function BridgeBanner() {
  const { state, reason } = useBridge()
  if (state === 'ready') return null
  if (state === 'failed' || state === 'stopped') {
    return (
      <Strip
        key="ended"
        kind="banner"
        tone="bad"
        role="alert"
        buttons={<Button label="Start it again" look="primary" onClick={() => perform('help.restartBridge')} />}
      >
        <TriangleAlert size={14} aria-hidden />{' '}
        <strong>The part of Bridgedeck that talks to machines has stopped.</strong> {reason} Start it again; if it ends
        again, Help has “Save diagnostics”.
      </Strip>
    )
  }
  return (
    <Strip key="starting" kind="banner" tone="warn" role="status">
      {state === 'starting'
        ? 'Starting the part that talks to machines…'
        : 'The part that talks to machines ended; it is being started again…'}{' '}
      {reason}
    </Strip>
  )
}

/** The others are listed by `bridge quarantine` of the command line, and appear as these are opened. */
const MAX_QUARANTINE_BANNERS = 3

function QuarantineBanners() {
  const items = useQuarantine((quarantine) => quarantine.items)
  return items.slice(0, MAX_QUARANTINE_BANNERS).map((item) => (
    <Strip
      key={`${item.kind} ${item.name}`}
      kind="banner"
      tone="warn"
      role="status"
      buttons={<Button label="Open anyway" onClick={() => openAnyway(item)} />}
    >
      <TriangleAlert size={14} aria-hidden />{' '}
      <strong>
        Left closed: {item.kind} <span className="data">{visibleText(item.name)}</span>
      </strong>{' '}
      The bridge ended twice within a minute of opening it: it {visibleText(item.reason)}.
    </Strip>
  ))
}
