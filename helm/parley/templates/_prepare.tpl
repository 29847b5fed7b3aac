{{/*
Prepares shared data once: .Values.prepared.entries are the Deployments by name, each with its part of the services' definitions
(files/services.json), `enabled`, and `values`, which are the defaults merged with its own.
*/}}
{{- define "parley.prepare" -}}
{{- if not (hasKey .Values "prepared") -}}
{{- $entries := .Files.Get "files/services.json" | fromJson -}}
{{- range $name, $entry := $entries -}}
{{- $own := get $.Values.services $name | default dict -}}
{{- $_ := set $entry "values" (mergeOverwrite (deepCopy $.Values.defaults) (deepCopy $own)) -}}
{{- $wanted := get $own "enabled" | toString -}}
{{- $isTrial := and (has $name (list "demo" "inbox")) (ne $wanted "false") (or (eq $wanted "true") $.Values.devEngines.enabled) -}}
{{- $isOther := and (not (has $name (list "demo" "inbox"))) (not (and (eq $name "edge") (eq $wanted "false"))) -}}
{{- $_ := set $entry "enabled" (or $isTrial $isOther) -}}
{{- end -}}
{{- $_ := set .Values "prepared" (dict "entries" $entries) -}}
{{- include "parley.validate" . -}}
{{- include "parley.generate" . -}}
{{- end -}}
{{- end -}}

{{/* Reports all missing values at once. */}}
{{- define "parley.validate" -}}
{{- $faults := list -}}
{{- $v := .Values -}}
{{- if not $v.devEngines.enabled -}}
{{- if not $v.publicUrl -}}
{{- $faults = append $faults "publicUrl is missing: the public URL, such as https://chat.example.org" -}}
{{- end -}}
{{- range $engine, $what := dict "postgres" "a PostgreSQL URL" "mongo" "a MongoDB URL" "redis" "a Redis URL" -}}
{{- if not (get (get $v $engine) "existingSecret") -}}
{{- $users := list -}}
{{- range $name, $entry := $v.prepared.entries }}{{ if has $engine $entry.engines }}{{ $users = append $users $name }}{{ end }}{{ end -}}
{{- $faults = append $faults (printf "%s.existingSecret is missing: the name of a Secret with %s for each of the keys %s" $engine $what (join ", " $users)) -}}
{{- end -}}
{{- end -}}
{{- if not $v.kafka.brokers -}}
{{- $faults = append $faults "kafka.brokers is missing: host:port of the brokers, separated by commas" -}}
{{- end -}}
{{- else -}}
{{- range $engine := list "postgres" "mongo" "redis" "kafka" -}}
{{- if get (get $v $engine) "existingSecret" -}}
{{- $faults = append $faults (printf "%s.existingSecret and devEngines.enabled are both set: choose one of them" $engine) -}}
{{- end -}}
{{- end -}}
{{- end -}}
{{- $notifier := $v.prepared.entries.notifier.values -}}
{{- if not (or $v.prepared.entries.inbox.enabled (hasKey (get $notifier "secretEnv" | default dict) "SMTP_URL")) -}}
{{- $faults = append $faults "services.notifier.secretEnv.SMTP_URL is missing: the name and key of a Secret with the URL of the mail server, such as smtps://user:password@mail.example.org; or enable services.inbox" -}}
{{- end -}}
{{- if and $v.ingress.tlsSecret (not $v.ingress.enabled) -}}
{{- $faults = append $faults "ingress.tlsSecret is set, but ingress.enabled is false" -}}
{{- end -}}
{{- if and $v.httpRoute.enabled (not $v.httpRoute.parentRefs) -}}
{{- $faults = append $faults "httpRoute.parentRefs is missing: the Gateways to which the HTTPRoute is attached" -}}
{{- end -}}
{{- if and (or $v.ingress.enabled $v.httpRoute.enabled) (not $v.publicUrl) -}}
{{- $faults = append $faults "publicUrl is missing: the Ingress or HTTPRoute uses its host" -}}
{{- end -}}
{{- with $v.backup -}}
{{- if and .enabled (not .existingClaim) (not .claim.size) -}}
{{- $faults = append $faults "backup.existingClaim is missing: a PersistentVolumeClaim for the backups; or set backup.claim.size, such as 20Gi, to create one" -}}
{{- end -}}
{{- if and .existingClaim .claim.size -}}
{{- $faults = append $faults "backup.existingClaim and backup.claim.size are both set: choose one of them" -}}
{{- end -}}
{{- if and .restore (not .enabled) -}}
{{- $faults = append $faults "backup.restore is set, but backup.enabled is false" -}}
{{- end -}}
{{- end -}}
{{- if $faults -}}
{{- fail (printf "\n\nParley cannot be installed with these values:\n  - %s\n" (join "\n  - " $faults)) -}}
{{- end -}}
{{- end -}}
