-- The passwords of the roles that `standfirst migrate` made, from the environment. Again and again, harmlessly.

\getenv password PUBLIC_PASSWORD
alter role svc_public password :'password';
\getenv password API_PASSWORD
alter role svc_api password :'password';
\getenv password DESK_PASSWORD
alter role svc_desk password :'password';
\getenv password WORKER_PASSWORD
alter role svc_worker password :'password';
