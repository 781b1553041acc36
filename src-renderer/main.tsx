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
start(() => {
  if (root) createRoot(root).render(<Shell />)
})
