import { EmptyState } from '../../widgets/EmptyState'

export function PicturesView() {
  return (
    <div className="view-content" role="group" tabIndex={0} data-panel-focus aria-label="Screens and bitmaps">
      <EmptyState title="Screens and bitmaps">
        <p>Nothing is here yet.</p>
      </EmptyState>
    </div>
  )
}
