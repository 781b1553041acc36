import './client/contentPolicy'
import './client/windowInfo'
import './widgets/layers.css'
import './widgets/reset.css'
import './widgets/tokens.css'
import './widgets/common.css'
import './shell/docking.css'
import { createRoot } from 'react-dom/client'
import { Shell } from './shell/Shell'
import { start } from './shell/start'

const root = document.getElementById('root')
const parameters = new URLSearchParams(location.search)
if (root && parameters.get('view') === 'gallery')
  void import('./gallery').then(({ showGallery }) => showGallery(root, parameters))
else
  start(() => {
    if (root) createRoot(root).render(<Shell />)
  })
