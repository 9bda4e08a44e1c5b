import type { ReactNode } from 'react'
import { t } from '../messages.ts'
import { Button, type ButtonProps } from './button.tsx'
import { Dialog, DialogActions } from './dialog.tsx'
import { Form, type FormProps, SubmitButton } from './form.tsx'

interface FormDialogProps<Values> extends Omit<FormProps<Values>, 'children'> {
  readonly title: string
  /** What will happen. */
  readonly about?: ReactNode
  readonly children?: FormProps<Values>['children']
  /** The label of the button that closes it. */
  readonly cancel?: string
  readonly onClose: () => void
  readonly submit: string | ((values: Values) => string)
  readonly kind?: ButtonProps['kind']
  readonly isReady?: boolean | ((values: Values) => boolean)
}

/** A dialog with a form, or with a question and its two answers. A file of its own: it is not needed for the first page. */
export const FormDialog = <Values extends object>({
  title,
  about,
  cancel = t('desk.common.cancel'),
  onClose,
  submit,
  kind = 'main',
  isReady = true,
  children,
  ...rest
}: FormDialogProps<Values>) => (
  <Dialog title={title} onClose={onClose}>
    <Form {...rest}>
      {(form) => (
        <>
          {about && <p>{about}</p>}
          {typeof children === 'function' ? children(form) : children}
          <DialogActions>
            <Button kind="quiet" onClick={onClose}>
              {cancel}
            </Button>
            <SubmitButton kind={kind} disabled={!(typeof isReady === 'function' ? isReady(form.values) : isReady)}>
              {typeof submit === 'function' ? submit(form.values) : submit}
            </SubmitButton>
          </DialogActions>
        </>
      )}
    </Form>
  </Dialog>
)
