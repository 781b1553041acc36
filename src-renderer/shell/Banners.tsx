import { History, TriangleAlert } from 'lucide-react'
import { Button } from '../widgets/Button'
import { useAppInfo } from '../client/appInfo'
import { call } from '../client/call'
import { useBridge, useFrontMachine } from '../client/machines'
import { attempt } from '../client/messages'
import { openAnyway, useQuarantine } from '../client/quarantine'
import { backToLive, usePlayback } from '../frames/playback'
import { preciseTime } from '../widgets/times'
import { visibleText } from '../widgets/visibleText'

/** What concerns the whole app: its bridge process, and the runtime it stands on. */
export function Banners() {
  return (
    <>
      <BridgeBanner />
      <QuarantineBanners />
      <PlaybackBanner />
      <StandInBanner />
    </>
  )
}

const restart = () => attempt(() => call('window.restartBridge', {}))

function BridgeBanner() {
  const { state, reason } = useBridge()
  if (state === 'ready') return null
  if (state === 'failed' || state === 'stopped') {
    return (
      <div className="banner bad" role="alert">
        <TriangleAlert size={14} aria-hidden />
        <span>
          <strong>The part of Bridgedeck that talks to machines has stopped.</strong> {reason} Start it again; if it
          ends again, Help has “Save diagnostics”.
        </span>
        <Button label="Start it again" look="primary" onClick={restart} />
      </div>
    )
  }
  return (
    <div className="banner warn" role="status">
      <span>
        {state === 'starting'
          ? 'Starting the part that talks to machines…'
          : 'The part that talks to machines ended; it is being started again…'}{' '}
        {reason}
      </span>
    </div>
  )
}

/** The others are in “bridge quarantine” of the command line, and appear as these are opened. */
const MAX_QUARANTINE_BANNERS = 3

function QuarantineBanners() {
  const items = useQuarantine((quarantine) => quarantine.items)
  return items.slice(0, MAX_QUARANTINE_BANNERS).map((item) => (
    <div key={`${item.kind} ${item.name}`} className="banner warn" role="status">
      <TriangleAlert size={14} aria-hidden />
      <span>
        <strong>
          Left closed: {item.kind} <span className="data">{visibleText(item.name)}</span>
        </strong>{' '}
        The bridge ended twice within a minute of opening it: it {visibleText(item.reason)}.
      </span>
      <Button label="Open anyway" onClick={() => openAnyway(item)} />
    </div>
  ))
}

/** So that nobody takes the past for the present. */
function PlaybackBanner() {
  const shown = usePlayback((playback) => playback.shown)
  const title = useFrontMachine()?.title ?? 'The machine'
  if (!shown) return null
  return (
    <div className="banner recorded" role="status">
      <History size={14} aria-hidden />
      <span>
        <strong>
          Recorded <span className="data">{preciseTime(shown.time)}</span>
        </strong>{' '}
        <span className="muted">
          All views show this moment of {shown.recording}. {title} goes on behind it: Pause, Step, Reset and Warp act on
          it as it is now.
        </span>
      </span>
      <Button label="Back to live" look="primary" shortcut="Esc" onClick={backToLive} />
    </div>
  )
}

function StandInBanner() {
  const app = useAppInfo((info) => info.app)
  if (!app?.standIn) return null
  return (
    <div className="banner quiet" role="note">
      Electron {app.electron}, an old stand-in for trying and testing: this computer could not fetch the real one. Do
      not work with files you do not trust.
    </div>
  )
}
