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

{{/* Whether a variable is a setting of any service, not a secret: (list $ variable). */}}
{{- define "parley.isSetting" -}}
{{- $variable := index . 1 -}}
{{- range (index . 0).Values.prepared.entries }}{{ if has $variable .settings }}yes{{ end }}{{ end -}}
{{- end -}}

{{/* Reports all missing and contradictory values at once. */}}
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
{{- if or $v.kafka.brokers $v.kafka.tls -}}
{{- $faults = append $faults "kafka.brokers or kafka.tls is set, but devEngines.enabled starts its own Kafka: choose one of them" -}}
{{- end -}}
{{- end -}}
{{- $known := list -}}
{{- range $name, $entry := $v.prepared.entries -}}
{{- $known = concat $known $entry.settings $entry.secrets -}}
{{- $env := get $entry.values "env" | default dict -}}
{{- $secretEnv := get $entry.values "secretEnv" | default dict -}}
{{- range $variable := $entry.secrets }}{{ if hasKey $env $variable -}}
{{- $faults = append $faults (printf "services.%s.env.%s is a secret: store it in a Secret, and set services.%s.secretEnv.%s to { name: <Secret>, key: <its key> }" $name $variable $name $variable) -}}
{{- end }}{{ end -}}
{{- $absent := list -}}
{{- range $variable := $entry.together }}{{ if not (or (hasKey $v.env $variable) (hasKey $env $variable) (hasKey $secretEnv $variable)) }}{{ $absent = append $absent $variable }}{{ end }}{{ end -}}
{{- if and $absent (lt (len $absent) (len $entry.together)) -}}
{{- $faults = append $faults (printf "%s of services.%s is missing: set all of %s, or none (secrets in secretEnv)" (join ", " $absent) $name (join ", " $entry.together)) -}}
{{- end -}}
{{- with $entry.values.autoscaling -}}
{{- if and .enabled (gt (int .minReplicas) (int .maxReplicas)) -}}
{{- $faults = append $faults (printf "services.%s.autoscaling.minReplicas is greater than maxReplicas" $name) -}}
{{- end -}}
{{- end -}}
{{- end -}}
{{- range $variable, $value := $v.env }}{{ if not (has $variable $known) -}}
{{- $faults = append $faults (printf "env.%s is not a variable of any service: see their READMEs" $variable) -}}
{{- else if not (include "parley.isSetting" (list $ $variable)) -}}
{{- $faults = append $faults (printf "env.%s is a secret: store it in a Secret, and set it in secretEnv of each service that uses it, to { name: <Secret>, key: <its key> }" $variable) -}}
{{- end }}{{ end -}}
{{- if and (not $v.prepared.entries.edge.enabled) (ne $v.services.edge.service.type "ClusterIP") -}}
{{- $faults = append $faults "services.edge.service.type is set, but services.edge.enabled is false" -}}
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
