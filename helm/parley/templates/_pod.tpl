{{/*
Environment variables of a Deployment as a Kubernetes list, with those of the values last: (list $ name).
*/}}
{{- define "parley.env" -}}
{{- $ := index . 0 -}}
{{- $name := index . 1 -}}
{{- $v := $.Values -}}
{{- $fullname := include "parley.fullname" $ -}}
{{- $entry := get $v.prepared.entries $name -}}
{{- $all := dict "PUBLIC_URL" (include "parley.publicUrl" $) "EXTRA_ORIGINS" (join "," $v.extraOrigins) "STOP_GRACE_SECONDS" $v.stopGraceSeconds "DRAIN_DELAY_MS" (mul 1000 (add $v.drainSeconds $entry.stopStage)) "TRUSTED_PROXIES" (include "parley.gatewayProxies" $) "METRICS_PORT" (get $entry.ports "metrics") "KAFKA_PARTITIONS" $v.kafka.partitions -}}
{{- if $v.devEngines.enabled -}}
{{- $_ := merge $all (dict "KAFKA_BROKERS" (printf "%s-kafka:9092" $fullname) "KAFKA_REPLICATION" 1) -}}
{{- else -}}
{{- $_ := merge $all (dict "KAFKA_BROKERS" $v.kafka.brokers "KAFKA_REPLICATION" $v.kafka.replication "KAFKA_TLS" $v.kafka.tls) -}}
{{- if $v.kafka.existingSecret }}{{ $_ := set $all "KAFKA_USERNAME" $name }}{{ end -}}
{{- end -}}
{{- $_ := mergeOverwrite $all (deepCopy $v.env) -}}
{{- $env := dict -}}
{{- range $variable := $entry.settings -}}
{{- if hasKey $all $variable }}{{ $_ := set $env $variable (get $all $variable) }}{{ end -}}
{{- end -}}
{{- range $variable, $callee := $entry.addresses -}}
{{- $_ := set $env $variable (printf "http://%s-%s:8080" $fullname $callee) -}}
{{- end -}}
{{- $given := get $entry.values "secretEnv" | default dict -}}
{{- if and (has "DEEPSEEK_API_KEY" $entry.secrets) $v.prepared.entries.demo.enabled (not (hasKey $given "DEEPSEEK_API_KEY")) -}}
{{- $_ := mergeOverwrite $env (dict "DEEPSEEK_API_KEY" "none" "DEEPSEEK_BASE_URL" (printf "http://%s-demo:8080" $fullname) "DEEPSEEK_NOTICE" "Demo answers") -}}
{{- end -}}
{{- if and (has "SMTP_URL" $entry.secrets) $v.prepared.entries.inbox.enabled (not (hasKey $given "SMTP_URL")) -}}
{{- $_ := set $env "SMTP_URL" (printf "smtp://%s-inbox:1025" $fullname) -}}
{{- end -}}
{{- if eq $name "edge" -}}
{{- $_ := mergeOverwrite $env (dict "EDGE_TRUSTED_PROXIES" (include "parley.edgeProxies" $) "GATEWAY_ADDRESS" (printf "%s-gateway:8080" $fullname) "WEB_ADDRESS" (printf "%s-web:8080" $fullname)) -}}
{{- end -}}
{{- if eq $name "inbox" }}{{ $_ := set $env "DATA_DIR" "/data" }}{{ end -}}
{{- if eq $entry.user 101.0 -}}
{{- $_ := mergeOverwrite $env (dict "NGINX_ENVSUBST_OUTPUT_DIR" "/tmp" "LISTEN" ($v.ipv6 | ternary "[::]:8080 ipv6only=off" "8080")) -}}
{{- else if $v.ipv6 -}}
{{- $_ := set $env "HOST" "::" -}}
{{- end -}}
{{- range $source := (include "parley.secretSources" (list $ $name) | fromJson).sources -}}
{{- $variable := (index $source.secret.items 0).path -}}
{{- $_ := set $env (printf "%s_FILE" $variable) (printf "/run/secrets/parley/%s" $variable) -}}
{{- end -}}
{{- if and $v.certificateAuthorities.configMap $entry.secrets -}}
{{- $_ := set $env "NODE_EXTRA_CA_CERTS" "/run/authorities/ca.crt" -}}
{{- end -}}
{{- $_ := mergeOverwrite $env (deepCopy (get $entry.values "env" | default dict)) -}}
{{- range $variable, $value := $env }}
- name: {{ $variable }}
  value: {{ $value | toString | quote }}
{{- end }}
{{- end -}}

{{/*
The gateway's trusted proxies: only the edge, which overwrites the callers' headers, or without it the proxies in front. Pods have public addresses in
some networks with IPv6.
*/}}
{{- define "parley.gatewayProxies" -}}
{{- if .Values.prepared.entries.edge.enabled -}}
10.0.0.0/8,172.16.0.0/12,192.168.0.0/16,100.64.0.0/10,fc00::/7{{ if .Values.ipv6 }},2000::/3{{ end }}
{{- else -}}
{{ join "," .Values.trustedProxies }}
{{- end -}}
{{- end -}}

{{/* The edge's trusted proxies as nginx directives. */}}
{{- define "parley.edgeProxies" -}}
{{- range .Values.trustedProxies }}set_real_ip_from {{ . }};{{ end -}}
{{- end -}}

{{/* Volumes of a Deployment: (list $ name). */}}
{{- define "parley.volumes" -}}
{{- $ := index . 0 -}}
{{- $name := index . 1 -}}
{{- $entry := get $.Values.prepared.entries $name -}}
- name: tmp
  emptyDir: { sizeLimit: 256Mi }
{{- with (include "parley.secretSources" . | fromJson).sources }}
- name: secrets
  projected:
    # Readable only by the pod's group.
    defaultMode: 0440
    sources:
      {{- toYaml . | nindent 6 }}
{{- end }}
{{- if and $.Values.certificateAuthorities.configMap $entry.secrets }}
- name: authorities
  configMap:
    name: {{ $.Values.certificateAuthorities.configMap }}
    items: [{ key: {{ $.Values.certificateAuthorities.key | quote }}, path: ca.crt }]
{{- end }}
{{- if eq $name "edge" }}
- name: configuration
  configMap: { name: {{ include "parley.fullname" $ }}-edge }
{{- end }}
{{- if eq $name "inbox" }}
- name: data
  emptyDir: { sizeLimit: 256Mi }
{{- end }}
{{- end -}}

{{/* Volume mounts of a Deployment: (list $ name). */}}
{{- define "parley.volumeMounts" -}}
{{- $ := index . 0 -}}
{{- $name := index . 1 -}}
{{- $entry := get $.Values.prepared.entries $name -}}
- { name: tmp, mountPath: /tmp }
{{- if (include "parley.secretSources" . | fromJson).sources }}
- { name: secrets, mountPath: /run/secrets/parley, readOnly: true }
{{- end }}
{{- if and $.Values.certificateAuthorities.configMap $entry.secrets }}
- { name: authorities, mountPath: /run/authorities, readOnly: true }
{{- end }}
{{- if eq $name "edge" }}
- { name: configuration, mountPath: /etc/nginx/nginx.conf, subPath: nginx.conf, readOnly: true }
- { name: configuration, mountPath: /etc/nginx/templates/server.conf.template, subPath: edge.conf.template, readOnly: true }
{{- end }}
{{- if eq $name "inbox" }}
- { name: data, mountPath: /data }
{{- end }}
{{- end -}}
