import {
  DoorClosed,
  FileWarning,
  Gauge,
  MessageCircleQuestionMark,
  Stamp,
  TriangleAlert,
  type LucideIcon,
} from 'lucide-react'
import type { RunNeed } from '@shared/contract/orchestration'

const kinds: Readonly<Record<RunNeed['kind'], { readonly icon: LucideIcon; readonly tone: string }>> = {
  question: { icon: MessageCircleQuestionMark, tone: 'warn-text' },
  gate: { icon: DoorClosed, tone: 'warn-text' },
  approval: { icon: Stamp, tone: 'warn-text' },
  failure: { icon: TriangleAlert, tone: 'bad-text' },
  limit: { icon: Gauge, tone: 'warn-text' },
  unreadable: { icon: FileWarning, tone: 'bad-text' },
}

export function NeedIcon({ kind }: Pick<RunNeed, 'kind'>) {
  const { icon: Icon, tone } = kinds[kind]
  return <Icon className={`need-icon ${tone}`} size={16} strokeWidth={1.75} role="img" aria-label={kind} />
}
