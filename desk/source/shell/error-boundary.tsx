import { Component, type ReactNode } from 'react'
import { Button } from '../components/button.tsx'
import { Notice } from '../components/notice.tsx'

interface FailingProps {
  readonly children: ReactNode
}

/** Where a room cannot be shown, it says so; the frame stays. React takes only a class for this. */
export class Failing extends Component<FailingProps, { readonly hasFailed: boolean }> {
  override state = { hasFailed: false }

  static getDerivedStateFromError() {
    return { hasFailed: true }
  }

  override render() {
    if (!this.state.hasFailed) return this.props.children
    return (
      <Notice kind="bad">
        <p>This page could not be shown. What you wrote is kept. Load it anew; if that does not help, try later.</p>
        <Button onClick={() => location.reload()}>Load anew</Button>
      </Notice>
    )
  }
}
