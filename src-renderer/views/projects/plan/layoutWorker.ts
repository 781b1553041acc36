import { layOutPlan, type PlanLayout, type PlanShape } from './planLayout'

export interface LayoutQuestion {
  readonly id: number
  readonly shape: PlanShape
}

export interface LayoutAnswer {
  readonly id: number
  readonly layout: PlanLayout
}

self.onmessage = ({ data: { id, shape } }: MessageEvent<LayoutQuestion>) => {
  self.postMessage({ id, layout: layOutPlan(shape) } satisfies LayoutAnswer)
}
