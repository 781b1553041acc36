import type { ViewProps } from '../../app/views'

export function RegistersView({ visible }: ViewProps) {
  return <div className="view-content" data-visible={visible} />
}
