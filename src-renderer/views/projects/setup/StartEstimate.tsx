import type { LoopName } from '@shared/contract/loops'
import { estimateText, NO_ESTIMATE } from '@shared/estimate'
import { call } from '../../../client/call'
import { useAnswer } from '../../../client/useAnswer'
import { visibleText } from '../../../widgets/visibleText'
import { keyOf } from '../loops'

export function StartEstimate({ name, version }: { readonly name: LoopName; readonly version: string }) {
  const { data } = useAnswer(keyOf(name), true, (signal) => call('loops.estimate', { ...name }, { signal }), version)
  if (!data) return null
  return (
    <p className="muted run-estimate">
      {data.estimate === null ? NO_ESTIMATE : `Estimate: ${visibleText(estimateText(data.estimate))}`}
    </p>
  )
}
