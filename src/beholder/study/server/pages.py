"""The pages that participants see. Templates stand in `templates/`; each is given these variables.

In every page of a study: `study` (`name`, `title`, `contact`: nothing that tells what an item truly is), `base` (`/s/NAME`), `static`
(`/static`), `csrf` and `bearer`. Every form posts the hidden fields `csrf` and `bearer` (empty but inside MTurk's frame, where no
cookie travels; scripts then send it as `Authorization: Bearer`). `{{ text | paragraphs }}` gives a list of paragraphs.

| template | variables beside those | posts |
|---|---|---|
| landing.html | `ids` (name → value, as hidden fields), `resume` (True: this browser has begun) | `{base}/enter` |
| preview.html | `instructions` (MTurk before the task is accepted: nothing can be started) | |
| consent.html | `consent` (`version`, `text`, `contact`, `hash`) | `{base}/consent`: `hash`, `agree` = yes or no |
| form.html | `fields` (each `name`, `label`, `choices` of `value`, `label`; else a number `low` … `high`; `required`, `value`, `error`), `problem` | `{base}/form`: `form_NAME` for each field |
| device.html | `trial` (yes_no …) | `{base}/device`: `width`, `height` (of the window), `ratio`, `fps`, `kind` (phone, tablet, desktop), `reduced` (0 or 1); may be empty |
| instructions.html | `instructions`, `questions` (`text`, `answers` of `label`, `key`), `trials`, `practice` (counts), `replay` | `{base}/instructions` |
| trials.html | `api` (`{base}/api`), `go` (`{base}/go`), `number`, `of`; withdraw form | script; `{base}/withdraw`: `sure` = yes |
| comment.html | `longest` (characters) | `{base}/comment`: `comment` |
| done.html | `outcome`, `code`, `link` (address, or empty), `score` (`right`, `of`, or None), `debrief`, `submit` (MTurk: `action`, `fields`; or None) | |
| message.html | `title`, `sentence` (also without a study: then `study` is None and `base` empty) | |
| admin_login.html | `problem`; no `study` | `/admin/login`: `secret` |
| admin.html | `studies` (each `name`, `title`, `platform`, `sessions`, `complete`, `running`) | |
| admin_status.html | `status` (as status.json, see `Store.status`), `sessions` (each `id`, `stage`, `outcome`, `kind`, `answered`, `of`, `started`, `finished` as text), `items` (each `item`, `kind`, `answered`, `leased`) | `/admin/{name}/reject` and `/admin/{name}/delete`: `session` |

Outcomes: complete, failed_checks, screened_out, refused, withdrawn, expired, rejected. A withdrawal deletes the answers: the page says so.
"""
